import BusdTestKit
import CounterViewModels
import Testing

/// The whole bus, without a socket.
struct ConversationTests {
    @Test func `speaks to whoever types at a socket`() {
        let bus = TestBus { host in host.register(CounterViewModel.self) }
        let ann = bus.connect()
        ann.send(#"send counter/hall hallResized {"places":2}"#, "get counter/hall")
        ann.expect(
            #"{"ok":{"address":"counter/hall","cursor":"…:1","events":["#
                + #"{"count":{"text":"0 of 2","people":0}},{"doorOpened":{"isOpen":true}}]}}"#)
    }
}
