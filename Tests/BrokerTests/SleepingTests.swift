import BusdBroker
import BusdHosting
import BusdProtocol
import BusdTestKit
import Testing

/// A durable view model that nobody watches is let go, and nobody sees that it was.
@Suite struct `A view model that nobody watches` {
    private let disk = TallyDisk()
    private let bus: TestBus
    private let mark = "1z141z6"

    init() {
        disk.canSleep = true
        bus = .tally(on: disk)
    }

    private func succeed() {
        disk.succeed()
        bus.committed()
    }

    /// It is asleep after a minute in which nothing has happened.
    private func letPass(minutes: Int) { bus.advance(by: .seconds(60 * minutes)) }

    private func add(_ key: String?, to address: String = "tally") {
        let key = key.map { #","key":"\#($0)""# } ?? ""
        let keeper = bus.connect()
        keeper.send(#"{"op":"send","to":"\#(address)","event":{"add":{"_0":1}}\#(key)}"#)
        succeed()
    }

    private func subscribe(_ view: TestConnection, since seq: Int, _ address: String = "tally") {
        view.send(#"{"op":"subscribe","to":"\#(address)","since":"\#(mark):\#(seq)"}"#)
    }

    @Test func `is made anew when somebody looks, and goes on where it was`() {
        add(nil)
        letPass(minutes: 2)
        #expect(disk.made == 1)
        let view = bus.connect()
        view.send("list tally")
        view.expect(
            #"{"ok":{"viewModels":[{"address":"tally","kind":"tally","views":0,"seq":2}]}}"#)
        #expect(disk.made == 1)

        view.send("get tally")
        view.expect(
            #"{"ok":{"address":"tally","cursor":"\#(mark):2","done":"…","events":[{"count":{"_0":1}}]}}"#
        )
        #expect(disk.made == 2)
        add(nil)
        view.send("get tally")
        view.expect(
            #"{"ok":{"address":"tally","cursor":"\#(mark):3","done":"…","events":[{"count":{"_0":2}}]}}"#
        )
    }

    /// Another view model has changed what it shows, and it was not there to say so.
    @Test func `shows what was changed while it slept`() {
        add(nil)
        letPass(minutes: 2)
        disk.set(.literal("tally"), 7)
        let view = bus.connect()
        view.send(
            #"{"op":"send","to":"tally","event":{"add":{"_0":1}},"ifSeq":1}"#)
        view.expect(
            #"{"error":{"code":"stale","message":"the view model stands at 2, not at 1","seq":2}}"#)
        succeed()
        subscribe(view, since: 1)
        view.expect(
            #"{"ok":{"to":"tally","matched":["tally"],"resumed":false}}"#,
            #"{"from":"tally","seq":2,"snapshot":true,"event":{"count":{"_0":7}}}"#,
            #"{"live":"tally","cursor":"\#(mark):2","done":"\#(mark):…"}"#)
        add(nil)
        view.expect(#"{"from":"tally","seq":3,"event":{"count":{"_0":8}}}"#)
    }

    @Test func `is awake as long as something is said`() {
        for _ in 1...5 {
            add(nil)
            letPass(minutes: 1)
        }
        #expect(disk.made == 1)
        letPass(minutes: 1)
        add(nil)
        #expect(disk.made == 2)
    }

    @Test func `is awake while somebody watches`() {
        let view = bus.connect()
        view.send("subscribe tally", "subscribe **")
        letPass(minutes: 5)
        view.send("unsubscribe tally")
        letPass(minutes: 5)
        view.send("get tally")
        #expect(disk.made == 1)
        _ = view.takeLines()

        view.vanish()
        letPass(minutes: 1)
        add(nil)
        #expect(disk.made == 2)
    }

    @Test func `is let go when the last view has left its address`() {
        let view = bus.connect()
        view.send("subscribe tally")
        letPass(minutes: 2)
        view.send("unsubscribe tally")
        letPass(minutes: 1)
        view.send("get tally")
        #expect(disk.made == 2)
        _ = view.takeLines()
        let other = bus.connect()
        other.send("subscribe tally")
        _ = other.takeLines()
        other.vanish()
        letPass(minutes: 1)
        add(nil)
        #expect(disk.made == 3)
    }

    @Test func `stays where it would not be the same again`() {
        disk.canSleep = false
        add(nil)
        letPass(minutes: 5)
        disk.canSleep = true
        add(nil)
        #expect(disk.made == 1)
    }

    @Test func `stays while something of it is not on disk`() {
        let keeper = bus.connect()
        keeper.send(#"{"op":"send","to":"tally","event":{"add":{"_0":1}},"id":1}"#)
        letPass(minutes: 5)
        #expect(disk.made == 1)
        succeed()
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
        letPass(minutes: 2)
        add(nil)
        #expect(disk.made == 2)
    }

    @Test func `knows its keys, which are on disk`() {
        add("a")
        let keeper = bus.connect()
        keeper.send(#"send tally open {"_0":"b"}"#)
        succeed()
        add("c", to: "tally/b")
        #expect(disk.recalls == 1)
        letPass(minutes: 2)
        for (key, address) in [("a", "tally"), ("c", "tally/b")] {
            keeper.send(
                #"{"op":"send","to":"\#(address)","event":{"add":{"_0":1}},"key":"\#(key)","id":1}"#
            )
            keeper.expect(#"{"ok":{"seq":[1,1],"changed":true,"duplicate":true},"id":1}"#)
        }
        #expect(disk.recalls == 3)
        #expect(disk.counts[.literal("tally/b")] == 1)
    }

    @Test func `waits for the disk where nothing of it is there`() {
        let keeper = bus.connect()
        keeper.send(
            #"{"op":"send","to":"tally","event":{"open":{"_0":"b"}},"id":1}"#,
            #"{"op":"send","to":"tally/b","event":{"add":{"_0":1}},"id":2}"#)
        keeper.expectNothing()
        succeed()
        keeper.expect(#"{"ok":{"changed":true,"made":"tally/b"},"id":1}"#)
        succeed()
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":2}"#)
    }
}
