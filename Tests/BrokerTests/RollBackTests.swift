import BusdBroker
import BusdHosting
import BusdProtocol
import BusdTestKit
import Testing

/// A commit that fails has never been.
@Suite struct RollBackTests {
    let disk = TallyDisk()
    let bus: TestBus

    init() {
        bus = .tally(on: disk)
    }

    func succeed() {
        disk.succeed()
        bus.committed()
    }

    func fail() { bus.committed(successfully: false) }

    func watch(_ pattern: String = "tally") -> TestConnection {
        let view = bus.connect()
        view.send("subscribe \(pattern)")
        _ = view.takeLines()
        return view
    }

    @Test func `a refused send leaves no trace`() {
        let view = watch()
        let keeper = bus.connect()
        keeper.send(#"{"op":"send","to":"tally","event":{"add":{"_0":1}},"key":"k","id":"a"}"#)
        fail()
        view.expectNothing()
        keeper.expect(#"{"error":{"code":"unavailable","message":"…"},"id":"a"}"#)

        keeper.send(#"{"op":"send","to":"tally","event":{"add":{"_0":1}},"key":"k","id":"b"}"#)
        succeed()
        view.expect(
            #"{"from":"tally","seq":1,"cause":{"connection":2,"id":"b"},"event":{"count":"#
                + #"{"_0":1}}}"#
        )
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"b"}"#)
    }

    @Test func `a send without an id is told that it failed`() {
        let keeper = bus.connect()
        keeper.send(#"send tally add {"_0":1}"#)
        fail()
        keeper.expect(#"{"error":{"code":"unavailable","message":"…"}}"#)
    }

    @Test func `what was built on a failed commit fails with it`() {
        let keepers = [bus.connect(), bus.connect()]
        keepers[0].send(#"{"op":"send","to":"tally","event":{"add":{"_0":1}},"id":"a"}"#)
        keepers[1].send(#"{"op":"send","to":"tally","event":{"add":{"_0":1}},"id":"b"}"#)
        fail()
        keepers[0].expect(#"{"error":{"code":"unavailable","message":"…"},"id":"a"}"#)
        keepers[1].expect(#"{"error":{"code":"unavailable","message":"…"},"id":"b"}"#)
        #expect(disk.commits == 2)
        keepers[1].send(#"{"op":"send","to":"tally","event":{"add":{"_0":1}},"id":"c"}"#)
        succeed()
        keepers[1].expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"c"}"#)
    }

    @Test func `a view model that was never on disk was never there`() {
        let view = watch("tally/*")
        let keeper = bus.connect()
        keeper.send(#"{"op":"send","to":"tally","event":{"open":{"_0":"b"}},"id":"a"}"#)
        keeper.expectNothing()
        fail()
        keeper.expect(#"{"error":{"code":"unavailable","message":"…"},"id":"a"}"#)
        view.expectNothing()

        keeper.send(#"{"op":"send","to":"tally","event":{"open":{"_0":"c"}},"id":"b"}"#)
        succeed()
        keeper.expect(#"{"ok":{"changed":true,"made":"tally/c"},"id":"b"}"#)
        view.expect(
            #"{"from":"tally/c","seq":0,"snapshot":true,"event":{"count":{"_0":0}}}"#,
            #"{"live":"tally/c","cursor":"…:0","done":"…"}"#)
    }

    @Test func `a view model whose end fails goes on, and is heard`() {
        let keeper = bus.connect()
        keeper.send(#"send tally open {"_0":"b"}"#)
        succeed()
        let view = watch("tally/b")
        keeper.send(#"{"op":"send","to":"tally","event":{"close":{"_0":"b"}},"id":"a"}"#)
        fail()
        keeper.expect(#"{"error":{"code":"unavailable","message":"…"},"id":"a"}"#)
        view.expectNothing()

        keeper.send(#"{"op":"send","to":"tally/b","event":{"add":{"_0":1}},"id":"b"}"#)
        succeed()
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"b"}"#)
        view.expect(
            #"{"from":"tally/b","seq":1,"cause":{"connection":1,"id":"b"},"event":{"count":"#
                + #"{"_0":1}}}"#
        )
    }

    @Test func `an end that comes to disk is told`() {
        let keeper = bus.connect()
        keeper.send(#"send tally open {"_0":"b"}"#)
        succeed()
        let view = watch("tally/b")
        keeper.send(#"{"op":"send","to":"tally","event":{"close":{"_0":"b"}},"id":"a"}"#)
        view.expectNothing()
        succeed()
        view.expect(#"{"gone":"tally/b"}"#)
        keeper.expect(#"{"ok":{"changed":true},"id":"a"}"#)
    }

    /// A part that comes with the first commit, and ends with the second.
    private func pass() -> TestConnection {
        let view = watch("tally/*")
        let keeper = bus.connect()
        keeper.send(#"send tally open {"_0":"b"}"#)
        keeper.send(#"send tally close {"_0":"b"}"#)
        succeed()
        view.expect(
            #"{"from":"tally/b","seq":0,"snapshot":true,"event":{"count":{"_0":0}}}"#,
            #"{"live":"tally/b","cursor":"…:0","done":"…"}"#)
        keeper.vanish()
        return view
    }

    @Test func `what was about to end when it came goes on when its end is taken back`() {
        let view = pass()
        fail()
        view.expectNothing()
        let keeper = bus.connect()
        keeper.send(#"{"op":"send","to":"tally/b","event":{"add":{"_0":1}},"id":"b"}"#)
        succeed()
        keeper.expect(#"{"ok":{"seq":[1,1],"changed":true},"id":"b"}"#)
        view.expect(
            #"{"from":"tally/b","seq":1,"cause":{"connection":3,"id":"b"},"event":{"count":{"_0":1}}}"#
        )
    }

    @Test func `what was about to end when it came goes with the next commit`() {
        let view = pass()
        succeed()
        view.expect(#"{"gone":"tally/b"}"#)
        let keeper = bus.connect()
        keeper.send("list tally/*")
        keeper.expect(#"{"ok":{"viewModels":[]}}"#)
    }
}
