import BusdBroker
import BusdHosting
import BusdProtocol
import BusdTestKit
import Testing

/// A durable view model without views is released, which no client notices.
@Suite struct `A durable view model without views` {
    private let tallies = TallyFixture()
    private let mark = "1z141z6"

    private var bus: TestBus { tallies.bus }
    private var made: Int { tallies.world?.made ?? 0 }

    init() { tallies.world?.canSleep = true }

    private func succeed() { tallies.succeed() }

    /// A view model sleeps after a minute in which nothing has happened.
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

    @Test func `A sleeping view model is made again by a get or a send, with its state`() {
        add(nil)
        letPass(minutes: 2)
        #expect(made == 1)
        let view = bus.connect()
        view.send("list tally")
        view.expect(
            #"{"ok":{"viewModels":[{"address":"tally","kind":"tally","views":0,"seq":2}]}}"#)
        #expect(made == 1)

        view.send("get tally")
        view.expect(
            #"{"ok":{"address":"tally","cursor":"\#(mark):2","done":"…","events":[{"count":{"_0":1}}]}}"#
        )
        #expect(made == 2)
        add(nil)
        view.send("get tally")
        view.expect(
            #"{"ok":{"address":"tally","cursor":"\#(mark):3","done":"…","events":[{"count":{"_0":2}}]}}"#
        )
    }

    @Test func `A view model that wakes shows an action that was applied while it slept`() {
        bus.connect().send(#"send tally open {"_0":"b"}"#)
        succeed()
        add(nil, to: "tally/b")
        letPass(minutes: 2)
        let view = bus.connect()
        view.send(#"{"op":"send","to":"tally","event":{"give":{"_0":"b","_1":6}}}"#)
        succeed()
        view.send(#"{"op":"send","to":"tally/b","event":{"add":{"_0":1}},"ifSeq":1}"#)
        view.expect(
            #"{"error":{"code":"stale","message":"`seq` is now 2, not 1","seq":2}}"#)
        view.send(#"{"op":"get","to":"tally/b"}"#)
        view.expect(
            #"{"ok":{"address":"tally/b","cursor":"…:2","done":"…","events":[{"count":{"_0":7}}]}}"#
        )
    }

    @Test func `A view model stays awake while it emits`() {
        for _ in 1...5 {
            add(nil)
            letPass(minutes: 1)
        }
        #expect(made == 1)
        letPass(minutes: 1)
        add(nil)
        #expect(made == 2)
    }

    @Test func `A view model stays awake while a view is subscribed`() {
        let view = bus.connect()
        view.send("subscribe tally", "subscribe **")
        letPass(minutes: 5)
        view.send("unsubscribe tally")
        letPass(minutes: 5)
        view.send("get tally")
        #expect(made == 1)
        _ = view.takeLines()

        view.disconnect()
        letPass(minutes: 1)
        add(nil)
        #expect(made == 2)
    }

    @Test func `A view model sleeps a minute after its last view has left`() {
        let view = bus.connect()
        view.send("subscribe tally")
        letPass(minutes: 2)
        view.send("unsubscribe tally")
        letPass(minutes: 1)
        view.send("get tally")
        #expect(made == 2)
        _ = view.takeLines()
        let other = bus.connect()
        other.send("subscribe tally")
        _ = other.takeLines()
        other.disconnect()
        letPass(minutes: 1)
        add(nil)
        #expect(made == 3)
    }

    @Test func `A view model that cannot sleep stays awake`() {
        tallies.world?.canSleep = false
        add(nil)
        letPass(minutes: 5)
        tallies.world?.canSleep = true
        add(nil)
        #expect(made == 1)
    }

    @Test func `A view model stays awake while a commit is pending`() {
        let keeper = bus.connect()
        keeper.send(#"{"op":"send","to":"tally","event":{"add":{"_0":1}},"id":1}"#)
        letPass(minutes: 5)
        #expect(made == 1)
        succeed()
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":1}"#)
        letPass(minutes: 2)
        add(nil)
        #expect(made == 2)
    }

    @Test func `A view model that has slept knows its keys, but not their answers`() {
        add("a")
        letPass(minutes: 2)
        let keeper = bus.connect()
        keeper.send(
            #"{"op":"send","to":"tally","event":{"add":{"_0":1}},"key":"a","id":1}"#)
        keeper.expect(#"{"ok":{"duplicate":true},"id":1}"#)
        #expect(tallies.count() == 1)
    }
}
