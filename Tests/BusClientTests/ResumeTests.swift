import BusdClientTestSupport
import BusdGamesEvents
import BusdProtocol
import Testing

@testable import BusdClient

/// A remote view model after a loss or a gap.
@Suite struct ResumeTests {
    let world: ClientFixture
    let daemon: FakeDaemon
    let model: RemoteViewModel<Games>
    let screen = FakeView<Games>()

    init() throws {
        world = try ClientFixture()
        daemon = world.daemon
        model = RemoteViewModel(world.connection, at: .literal("games"))
        screen.attach(to: model)
        world.connection.open()
        world.send(
            #"{"ok":{"to":"games","matched":["games"],"resumed":false},"id":1}"#,
            snapshot(4, rows: ["1"]), #"{"live":"games","cursor":"k3:4"}"#)
        #expect(screen.take() == [list("1"), "update", "live"])
        #expect(daemon.take() == [#"{"op":"subscribe","to":"games","id":1}"#])
    }

    private func row(_ id: String) -> String {
        #"{"id":"\#(id)","address":"scoreboard/\#(id)","home":"H","away":"A","score":"0 - 0","#
            + #""status":"paused"}"#
    }

    private func snapshot(_ seq: Int, rows: [String], more: Bool = false) -> String {
        #"{"from":"games","seq":\#(seq),"snapshot":true,"# + (more ? #""more":true,"# : "")
            + #""event":{"games":{"games":["# + rows.map(row).joined(separator: ",") + "]}}}"
    }

    private func insert(_ seq: Int, _ id: String) -> String {
        #"{"from":"games","seq":\#(seq),"event":{"gamesEdited":{"edits":["#
            + #"{"insert":{"at":0,"row":"# + row(id) + "}}]}}}"
    }

    private func list(_ ids: String...) -> String {
        "\(Games.ViewModelEvent.games(games: ids.map(value)))"
    }

    private func inserted(_ id: String) -> String {
        "\(Games.ViewModelEvent.gamesEdited(edits: [.insert(at: 0, row: value(id))]))"
    }

    private func value(_ id: String) -> Games.Row {
        Games.Row(
            id: id, address: "scoreboard/\(id)", home: "H", away: "A", score: "0 - 0",
            status: .paused)
    }

    private func subscribe(since: String, id: Int) -> String {
        #"{"op":"subscribe","to":"games","since":"\#(since)","id":\#(id)}"#
    }

    private func answer(resumed: Bool, id: Int) -> String {
        #"{"ok":{"to":"games","matched":["games"],"resumed":\#(resumed)},"id":\#(id)}"#
    }

    @Test func `After a loss a view model asks for the later events, and gets only them`() {
        world.send(insert(5, "2"))
        world.hangUp()
        #expect(screen.take() == [inserted("2"), "update", "not live"])

        world.wait(.milliseconds(50))
        #expect(daemon.take() == [subscribe(since: "k3:5", id: 2)])
        world.send(
            answer(resumed: true, id: 2), insert(6, "3"), #"{"live":"games","cursor":"k3:6"}"#)
        #expect(screen.take() == [inserted("3"), "update", "live"])
        #expect(model.output.current == [.games(games: ["3", "2", "1"].map(value))])
    }

    @Test func `A view model that missed nothing is live again without an event`() {
        world.hangUp()
        world.wait(.milliseconds(50))
        world.send(answer(resumed: true, id: 2), #"{"live":"games","cursor":"k3:4"}"#)
        #expect(screen.take() == ["not live", "live"])
    }

    @Test func `The snapshot of a restarted daemon is used, though its seq is lower`() {
        world.send(insert(5, "2"))
        world.hangUp()
        world.wait(.milliseconds(50))
        _ = screen.take()
        world.send(
            answer(resumed: false, id: 2), snapshot(0, rows: ["1"]),
            #"{"live":"games","cursor":"k7:0"}"#)
        #expect(screen.take() == [list("1"), "update", "live"])
        #expect(model.bookmark.cursor == Cursor(mark: "k7", seq: 0))

        world.send(insert(1, "8"))
        #expect(screen.take() == [inserted("8"), "update"])
        #expect(model.bookmark.cursor == Cursor(mark: "k7", seq: 1))
    }

    @Test func `A loss within a snapshot resumes from before it`() {
        world.hangUp()
        world.wait(.milliseconds(50))
        world.send(answer(resumed: false, id: 2), snapshot(9, rows: ["1"], more: true))
        world.hangUp()
        _ = daemon.take()
        world.wait(.milliseconds(100))
        #expect(daemon.take() == [subscribe(since: "k3:4", id: 3)])
    }

    @Test func `A loss within an update resumes within it`() {
        let created = #""event":{"created":{"game":"2","address":"scoreboard/2"}}}"#
        world.send(#"{"from":"games","seq":5,"more":true,"# + created)
        world.hangUp()
        _ = screen.take()
        world.wait(.milliseconds(50))
        #expect(daemon.take() == [subscribe(since: "k3:5", id: 2)])
        world.send(
            answer(resumed: true, id: 2), insert(6, "2"), #"{"live":"games","cursor":"k3:6"}"#)
        #expect(screen.take() == [inserted("2"), "update", "live"])
    }

    @Test func `A gap has the number of missed events, and the snapshot replaces them`() {
        world.send(#"{"gap":"games","missed":37}"#)
        #expect(screen.take() == ["not live", "gap 37"])
        #expect(!model.isLive)
        world.send(snapshot(41, rows: ["5"]), #"{"live":"games","cursor":"k3:41"}"#)
        #expect(screen.take() == [list("5"), "update", "live"])
        #expect(model.output.current == [.games(games: [value("5")])])
    }

    @Test func `A value that a new snapshot does not have is forgotten`() {
        world.send(#"{"gap":"games","missed":1}"#, #"{"live":"games","cursor":"k3:5"}"#)
        #expect(model.output.current == [])
    }

    @Test func `A resumed view model keeps its values`() {
        world.hangUp()
        world.wait(.milliseconds(50))
        world.send(answer(resumed: true, id: 2), #"{"live":"games","cursor":"k3:4"}"#)
        #expect(model.output.current == [.games(games: [value("1")])])
    }

    @Test func `A repeated event is ignored`() {
        world.send(insert(5, "2"), insert(5, "2"), insert(4, "1"))
        #expect(screen.take() == [inserted("2"), "update"])
    }

    @Test func `A view model that was deleted during a loss is reported as gone`() {
        world.hangUp()
        world.wait(.milliseconds(50))
        world.send(#"{"error":{"code":"unknownViewModel","message":"no games"},"id":2}"#)
        #expect(screen.take() == ["not live", "gone"])
    }

    @Test func `Losses in a row are reported once`() {
        daemon.stop()
        world.settle()
        world.wait(.seconds(20))
        #expect(screen.take() == ["not live"])
        daemon.acceptance = .accepts
        world.wait(.seconds(2))
        #expect(daemon.take() == [subscribe(since: "k3:4", id: 2)])
    }
}
