import BusdProtocol
import BusdTestKit
import Counter
import CounterViewModels
import Testing

/// The whole bus, without a socket.
struct ConversationTests {
    private let bus = TestBus { host in
        host.register(CounterViewModel.self, services: Library(host.libraries))
    }

    @Test func `A counter takes requests in words and answers in JSON`() {
        let ann = bus.connect()
        ann.send(#"send counter/hall hallResized {"places":2}"#, "get counter/hall")
        ann.expect(
            #"{"ok":{"address":"counter/hall","cursor":"…:1","events":["#
                + #"{"count":{"text":"0 of 2","people":0}},{"doorOpened":{"isOpen":true}}]}}"#)
    }

    @Test func `The count outlives the view model`() {
        let ann = bus.connect()
        ann.send("send counter/hall guestEntered")
        bus.advance(by: .seconds(60))
        ann.send("list counter/*", "get counter/hall")
        ann.expect(
            #"{"ok":{"viewModels":[]}}"#,
            #"{"ok":{…{"count":{"text":"1 of 100","people":1}}…}}"#)
    }

    @Test func `A send that is repeated with its key counts once`() {
        let ann = bus.connect()
        let tap = #"{"op":"send","to":"counter/hall","event":"guestEntered","key":"tap-1","id":1}"#
        ann.send(tap)
        ann.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
        ann.send(tap)
        ann.expect(#"{"ok":{"seq":[1,1],"changed":true,"duplicate":true},"id":1}"#)
        bus.advance(by: .seconds(60))
        ann.send(tap)
        ann.expect(#"{"ok":{"duplicate":true},"id":1}"#)
    }

    @Test func `A guest at a closed door is turned away`() {
        let ann = bus.connect()
        ann.send(#"send counter/hall hallResized {"places":0}"#, "subscribe counter/hall")
        _ = ann.takeLines()
        ann.send(#"{"op":"send","to":"counter/hall","event":"guestEntered","id":1}"#)
        ann.expect(
            #"{"from":"counter/hall","seq":3,"cause":{…},"event":{"turnedAway":{}}}"#,
            #"{"ok":{"seq":[3,3],"changed":true},"id":1}"#)
    }

    @Test func `A new hall is refused when the limit is reached`() {
        let ann = bus.connect()
        for hall in 1...Counter.halls.most { ann.send("send counter/\(hall) guestEntered") }
        ann.send("send counter/1 guestEntered", "send counter/new guestEntered")
        ann.expect(
            #"{"error":{"code":"overloaded","message":"there are 1000 halls: use one of them "#
                + #"(limit halls)"}}"#)
    }
}
