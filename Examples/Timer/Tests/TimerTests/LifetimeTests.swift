import BusdProtocol
import BusdTestKit
import Testing
import TimerViewModels

/// The whole bus, without a socket.
struct LifetimeTests {
    private let bus = TestBus { host in
        host.register(TimerViewModel.self, services: Services(clock: host.clock))
    }

    @Test func `A running timer continues without views`() {
        let ann = bus.connect()
        ann.send("send timer/tea start")
        bus.advance(by: .seconds(100))
        ann.send("get timer/tea")
        ann.expect(
            #"{"ok":{…{"time":{"text":"1:20","seconds":80}},{"running":{"isRunning":true}}…}}"#)
    }

    @Test func `A paused timer ends after 60 seconds without use`() {
        let ann = bus.connect()
        ann.send(#"send timer/tea lengthChanged {"seconds":5}"#)
        bus.advance(by: .seconds(60))
        ann.send("list timer/*")
        ann.expect(#"{"ok":{"viewModels":[]}}"#)
    }

    @Test func `A client that joins gets the list with all edits`() {
        let ann = bus.connect()
        ann.send("send timer/tea lap", "send timer/tea lap", #"send timer/tea deleteLap {"id":1}"#)
        ann.send("get timer/tea")
        ann.expect(#"{"ok":{…{"laps":{"laps":[{"id":2,"text":"3:00"}]}}]}}"#)
    }

    @Test func `The lap after 100 laps is refused`() {
        let ann = bus.connect()
        for _ in 1...100 { ann.send("send timer/tea lap") }
        ann.send(#"{"op":"send","to":"timer/tea","event":{"lap":{}},"id":1}"#)
        ann.expect(
            #"{"error":{"code":"overloaded","message":"there are 100 laps: delete one (limit laps)"},"id":1}"#
        )
    }
}

private struct Services: HasClock, HasChime {
    let clock: any Clock
    let chime: any Chime = SilentChime()
}

private final class SilentChime: Chime {
    func ring(for timer: Address) {}
}
