@testable import BusdBroker
import BusdHosting
import BusdProtocol
@testable import BusdTestKit
import Testing

/// A part of the tally is asleep, shows 1 and stands at 2. The disk is slow, and the part changes:
/// who looks is shown what is on disk, at once, and then hears the rest as if it had been awake.
@Suite struct `A view model that wakes while the disk is slow` {
    private let disk = TallyDisk()
    private let bus: TestBus
    private let keeper: TestConnection

    init() {
        let disk = disk
        disk.canSleep = true
        bus = TestBus(journal: disk) { host in
            disk.directory = host
            host.register(TallyViewModel.self, services: disk)
        }
        keeper = bus.connect()
        keeper.send(#"send tally open {"_0":"b"}"#)
        succeed()
        keeper.send(#"send tally/b add {"_0":1}"#)
        succeed()
        bus.advance(by: .seconds(120))
    }

    private func succeed() {
        disk.succeed()
        bus.committed()
    }

    /// Each is a commit of its own, as long as there are fewer than five.
    private func give(_ numbers: Int...) {
        for number in numbers {
            keeper.send(
                #"{"op":"send","to":"tally","event":{"give":{"_0":"b","_1":\#(number)}},"id":\#(number)}"#
            )
        }
    }

    private func close(_ id: Int) {
        keeper.send(#"{"op":"send","to":"tally","event":{"close":{"_0":"b"}},"id":\#(id)}"#)
    }

    /// Changes the tally itself, which stands at 2, and says something of it.
    private func add(_ id: Int) {
        keeper.send(
            #"{"op":"send","to":"tally","event":{"add":{"_0":1}},"id":\#(id)}"#)
    }

    private func expectAnswer(_ id: Int) { keeper.expect(#"{"ok":{"changed":true},"id":\#(id)}"#) }

    private func expectRefusals(_ ids: Int...) {
        #expect(
            keeper.takeLines()
                == ids.map {
                    #"{"error":{"code":"unavailable","message":"storage cannot write now: nothing has changed"},"id":\#($0)}"#
                })
    }

    private func expect(_ count: Int, at seq: Int) {
        let view = bus.connect()
        view.send("get tally/b")
        view.expect(
            #"{"ok":{"address":"tally/b","cursor":"…:\#(seq)","done":"…","events":[{"count":{"_0":\#(count)}}]}}"#
        )
    }

    /// Joins, and is shown what is on disk.
    private func view() -> TestConnection {
        let view = bus.connect()
        view.send("subscribe tally/b")
        view.expect(
            #"{"ok":{"to":"tally/b","matched":["tally/b"],"resumed":false}}"#,
            #"{"from":"tally/b","seq":2,"snapshot":true,"event":{"count":{"_0":1}}}"#,
            #"{"live":"tally/b","cursor":"…:2","done":"…"}"#)
        return view
    }

    private func said(_ count: Int, at seq: Int) -> String {
        #"{"from":"tally/b","seq":\#(seq),"event":{"count":{"_0":\#(count)}}}"#
    }

    private func said(_ count: Int, at seq: Int, due id: Int) -> String {
        #"{"from":"tally/b","seq":\#(seq),"cause":{"connection":1,"id":\#(id)},"event":{"count":{"_0":\#(count)}}}"#
    }

    @Test func `is made of what is on disk, and says what is not when that is there`() {
        give(6)
        let view = view()
        expect(1, at: 2)
        keeper.expectNothing()
        succeed()
        view.expect(said(7, at: 3))
        expectAnswer(6)
    }

    @Test func `costs the turn what was done to make it`() {
        disk.work = 100_000
        let before = bus.bus.spent
        let view = view()
        #expect(bus.bus.spent - before >= 100_000)
        view.expectNothing()
    }

    @Test func `says what has no cause to none of those who caused it`() {
        give(6)
        let view = view()
        keeper.send("subscribe tally/b")
        keeper.expectNothing()
        succeed()
        view.expect(said(7, at: 3))
        keeper.expect(
            #"{"ok":{"changed":true},"id":6}"#,
            #"{"ok":{"to":"tally/b","matched":["tally/b"],"resumed":false}}"#,
            #"{"from":"tally/b","seq":3,"snapshot":true,"event":{"count":{"_0":7}}}"#,
            #"{"live":"tally/b","cursor":"…:3","done":"…"}"#)
        give(5)
        succeed()
        view.expect(said(12, at: 4, due: 5))
        keeper.expect(said(12, at: 4, due: 5), #"{"ok":{"changed":true},"id":5}"#)
    }

    @Test func `says with each commit what that has made of it`() {
        give(6, 5)
        let view = view()
        succeed()
        view.expect(said(7, at: 3))
        expectAnswer(6)
        expect(7, at: 3)
        succeed()
        view.expect(said(12, at: 4))
        expectAnswer(5)
        expect(12, at: 4)
    }

    @Test func `says with the next commit what has changed since the last`() {
        give(10, 20, 30, 40, 50)
        let view = view()
        for (place, id) in [10, 20, 30, 40, 50].enumerated() {
            view.expectNothing()
            succeed()
            view.expect(said([11, 31, 61, 101, 151][place], at: 3 + place))
            expectAnswer(id)
        }
        expect(151, at: 7)
    }

    @Test func `says nothing of commits that leave it as it was`() {
        give(6)
        add(1)
        give(5)
        let view = view()
        succeed()
        view.expect(said(7, at: 3))
        expectAnswer(6)
        succeed()
        keeper.expect(#"{"ok":{"seq":[2,2],"changed":true},"id":1}"#)
        succeed()
        view.expect(said(12, at: 4))
        expectAnswer(5)
    }

    @Test func `takes a send meanwhile, which counts on`() {
        give(6, 5)
        keeper.send(#"{"op":"send","to":"tally/b","event":{"add":{"_0":1}},"id":1}"#)
        let view = view()
        for _ in 1...3 { succeed() }
        view.expect(said(7, at: 3), said(12, at: 4), said(13, at: 5, due: 1))
        keeper.expect(
            #"{"ok":{"changed":true},"id":6}"#, #"{"ok":{"changed":true},"id":5}"#,
            #"{"ok":{"seq":[5,5],"changed":true},"id":1}"#)
    }

    @Test func `has changed for who expects it to be as it was`() {
        give(6)
        let other = bus.connect()
        other.send(
            #"{"op":"send","to":"tally/b","event":{"add":{"_0":1}},"ifSeq":2,"id":1}"#)
        other.expectNothing()
        succeed()
        expectAnswer(6)
        other.expect(
            #"{"error":{"code":"stale","message":"the view model stands at 3, not at 2","seq":3},"id":1}"#
        )
    }

    // MARK: Commits that fail

    @Test func `is what was on disk where the first commit fails`() {
        give(10, 20, 30, 40, 50)
        let view = view()
        bus.committed(successfully: false)
        expectRefusals(10, 20, 30, 40, 50)
        view.expectNothing()
        expect(1, at: 2)
        give(6)
        succeed()
        view.expect(said(7, at: 3, due: 6))
        expectAnswer(6)
    }

    @Test func `is what the first has left where the second fails`() {
        give(10, 20, 30, 40, 50)
        let view = view()
        succeed()
        view.expect(said(11, at: 3))
        expectAnswer(10)
        bus.committed(successfully: false)
        expectRefusals(20, 30, 40, 50)
        view.expectNothing()
        expect(11, at: 3)
        give(6)
        succeed()
        view.expect(said(17, at: 4, due: 6))
        expectAnswer(6)
    }

    // MARK: The end

    @Test(arguments: [0, 3]) func `is there up to its end`(others: Int) {
        give(6)
        for id in 0..<others { add(id) }
        close(9)
        expect(1, at: 2)
        let (view, all) = (view(), bus.connect())
        all.send("subscribe tally/*")
        all.expect(
            #"{"ok":{"to":"tally/*","matched":["tally/b"],"resumed":false}}"#,
            #"{"from":"tally/b","seq":2,"snapshot":true,"event":{"count":{"_0":1}}}"#,
            #"{"live":"tally/b","cursor":"…:2","done":"…"}"#, #"{"live":"tally/*"}"#)
        succeed()
        view.expect(said(7, at: 3))
        all.expect(said(7, at: 3))
        expectAnswer(6)
        expect(7, at: 3)
        for id in 0..<others {
            succeed()
            keeper.expect(#"{"ok":{"seq":[\#(id + 2),\#(id + 2)],"changed":true},"id":\#(id)}"#)
        }
        succeed()
        view.expect(#"{"gone":"tally/b"}"#)
        all.expect(#"{"gone":"tally/b"}"#)
        expectAnswer(9)
    }

    @Test func `ends in silence where the commit that ends it has changed it`() {
        for id in 0..<4 { add(id) }
        give(6)
        close(9)
        let view = view()
        for id in 0..<4 {
            succeed()
            keeper.expect(#"{"ok":{"seq":[\#(id + 2),\#(id + 2)],"changed":true},"id":\#(id)}"#)
        }
        view.expectNothing()
        succeed()
        view.expect(#"{"gone":"tally/b"}"#)
        keeper.expect(#"{"ok":{"changed":true},"id":6}"#, #"{"ok":{"changed":true},"id":9}"#)
    }

    @Test(arguments: [false, true]) func `goes on where its end fails`(isChanged: Bool) {
        give(6)
        close(9)
        let view = view()
        if isChanged {
            succeed()
            view.expect(said(7, at: 3))
            expectAnswer(6)
        }
        bus.committed(successfully: false)
        if isChanged { expectRefusals(9) } else { expectRefusals(6, 9) }
        view.expectNothing()
        let (count, seq) = isChanged ? (7, 3) : (1, 2)
        expect(count, at: seq)
        give(5)
        succeed()
        view.expect(said(count + 5, at: seq + 1, due: 5))
        expectAnswer(5)
    }

    @Test func `takes no send before it is known whether it ends`() {
        close(9)
        let (other, view) = (bus.connect(), view())
        other.send(#"{"op":"send","to":"tally/b","event":{"add":{"_0":1}},"id":1}"#)
        other.expectNothing()
        bus.committed(successfully: false)
        expectRefusals(9)
        succeed()
        other.expect(#"{"ok":{"seq":[3,3],"changed":true},"id":1}"#)
        view.expect(
            #"{"from":"tally/b","seq":3,"cause":{"connection":2,"id":1},"event":{"count":{"_0":2}}}"#
        )
    }

    // MARK: The beginning

    /// It comes with the first commit, and the second changes it.
    @Test func `comes as the commit that made it has left it`() {
        let view = bus.connect()
        view.join("tally/*")
        keeper.send(
            #"{"op":"send","to":"tally","event":{"open":{"_0":"c"}},"id":1}"#)
        keeper.send(
            #"{"op":"send","to":"tally","event":{"give":{"_0":"c","_1":3}},"id":2}"#)
        succeed()
        keeper.expect(#"{"ok":{"changed":true,"made":"tally/c"},"id":1}"#)
        view.expect(
            #"{"from":"tally/c","seq":0,"snapshot":true,"event":{"count":{"_0":0}}}"#,
            #"{"live":"tally/c","cursor":"…:0","done":"…"}"#)
        succeed()
        expectAnswer(2)
        view.expect(#"{"from":"tally/c","seq":1,"event":{"count":{"_0":3}}}"#)
    }

    @Test func `is made while something else is on its way to the disk`() {
        add(1)
        expect(1, at: 2)
        keeper.expectNothing()
        succeed()
        keeper.expect(#"{"ok":{"seq":[2,2],"changed":true},"id":1}"#)
    }
}
