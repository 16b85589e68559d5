import BusdBroker
import BusdHosting
import BusdProtocol
import BusdTestKit
import Testing

/// Keys that were accepted before the daemon started are read when the first is sent.
@Suite struct OldKeyTests {
    let disk = TallyDisk()
    let bus: TestBus

    init() {
        disk.remember(key: "old", of: .literal("tally"), answer: 4...5)
        bus = .tally(on: disk) { $0.register(EchoForTests.self) }
    }

    private func succeed() {
        disk.succeed()
        bus.committed()
    }

    private func read() {
        disk.reading = .atOnce
        bus.recalled()
    }

    private func add(_ key: String?, _ id: String, to address: String = "tally") -> String {
        let key = key.map { #","key":"\#($0)""# } ?? ""
        return #"{"op":"send","to":"\#(address)","event":{"add":{"_0":1}}\#(key),"id":"\#(id)"}"#
    }

    @Test func `they are known after a restart, and read once`() {
        let keeper = bus.connect()
        keeper.send(add("old", "a"), add("old", "b"))
        keeper.expect(
            #"{"ok":{"seq":[4,5],"changed":true,"duplicate":true},"id":"a"}"#,
            #"{"ok":{"seq":[4,5],"changed":true,"duplicate":true},"id":"b"}"#)
        #expect(disk.recalls == 1)
        #expect(disk.commits == 0)
    }

    @Test func `a send with a key waits until they have been read, and holds up nobody else`() {
        disk.reading = .slow
        let (keeper, other) = (bus.connect(), bus.connect())
        keeper.send(add("new", "a"), "ping")
        keeper.expectNothing()

        other.send(add(nil, "b"), "ping", "get echo/x")
        succeed()
        other.expect(
            #"{"ok":{"seq":[1,1],"changed":true},"id":"b"}"#, #"{"ok":{}}"#,
            #"{"ok":{"address":"echo/x",…}}"#)
        keeper.expectNothing()

        read()
        keeper.expectNothing()
        succeed()
        keeper.expect(#"{"ok":{"seq":[2,2],"changed":true},"id":"a"}"#, #"{"ok":{}}"#)
    }

    @Test func `a retry that waits has no effect, and is answered as before`() {
        disk.reading = .slow
        let keepers = [bus.connect(), bus.connect()]
        for keeper in keepers { keeper.send(add("old", "a")) }
        bus.recalled()
        for keeper in keepers { keeper.expectNothing() }
        read()
        for keeper in keepers {
            keeper.expect(#"{"ok":{"seq":[4,5],"changed":true,"duplicate":true},"id":"a"}"#)
        }
        #expect(disk.counts[.literal("tally")] == 0)
    }

    @Test func `a disk that can't be read refuses the send, and is asked again by the next`() {
        disk.reading = .failing
        let keeper = bus.connect()
        keeper.send(add("old", "a"))
        keeper.expect(
            #"{"error":{"code":"unavailable","message":"…"},"id":"a"}"#)
        disk.reading = .atOnce
        keeper.send(add("old", "b"))
        keeper.expect(#"{"ok":{"seq":[4,5],"changed":true,"duplicate":true},"id":"b"}"#)
        #expect(disk.counts[.literal("tally")] == 0)
    }

    @Test func `a view model that has come since has none`() {
        let keeper = bus.connect()
        keeper.send(#"send tally open {"_0":"b"}"#)
        succeed()
        disk.reading = .slow
        keeper.send(add("new", "a", to: "tally/b"))
        succeed()
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#)
        keeper.send(add("new", "b", to: "tally/b"))
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true,"duplicate":true},"id":"b"}"#)
        #expect(disk.recalls == 0)
    }

    @Test func `the key of a send that changes nothing is on disk before the answer`() {
        let (keeper, other) = (bus.connect(), bus.connect())
        let close = #"{"op":"send","to":"tally","event":{"close":{"_0":"x"}},"key":"k","id":1}"#
        keeper.send(close)
        other.send(close, "ping")
        keeper.expectNothing()
        other.expectNothing()
        #expect(disk.commits == 1)
        succeed()
        keeper.expect(#"{"ok":{"changed":false},"id":1}"#)
        other.expect(#"{"ok":{"changed":false,"duplicate":true},"id":1}"#, #"{"ok":{}}"#)
        #expect(disk.commits == 1)
    }

    @Test func `who has no key, or is not durable, or may not send does not wait`() {
        disk.reading = .slow
        let keeper = bus.connect()
        keeper.send(#"{"op":"send","to":"echo/x","event":{"say":{"text":"hi"}},"key":"k","id":1}"#)
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
        keeper.send(add(nil, "a"))
        succeed()
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"a"}"#)
        let viewer = bus.connect(throughViewDoor: true)
        viewer.send(add("old", "b"))
        viewer.expect(#"{"error":{"code":"notAllowed","message":"…"},"id":"b"}"#)
        #expect(disk.recalls == 0)
    }

    @Test func `who has gone meanwhile has sent nothing`() {
        disk.reading = .slow
        let keeper = bus.connect()
        keeper.send(add("new", "a"))
        keeper.vanish()
        read()
        #expect(disk.counts[.literal("tally")] == 0)
        #expect(disk.commits == 0)
    }

    @Test func `half-closed, a connection is answered before it is closed`() {
        disk.reading = .slow
        let keeper = bus.connect()
        keeper.send(add("old", "a"))
        keeper.endInput()
        #expect(!keeper.isClosed)
        read()
        keeper.expect(#"{"ok":{"seq":[4,5],"changed":true,"duplicate":true},"id":"a"}"#)
        #expect(keeper.isClosed)
    }

    @Test func `a daemon that ends does not wait for them`() {
        disk.reading = .slow
        let keeper = bus.connect()
        keeper.send(add("new", "a"))
        bus.stop()
        keeper.expect(#"{"bye":{"code":"closing","message":"…"}}"#)
        #expect(disk.counts[.literal("tally")] == 0)
    }
}
