import BusdClientTestSupport
import BusdProtocol
import Testing

@testable import BusdClient

/// A remote view model after a loss or a gap.
@Suite struct ResumeTests {
    let world: ClientFixture
    let daemon: FakeDaemon
    let model: RemoteViewModel<Boards>
    let screen = FakeView<Boards>()

    init() throws {
        world = try ClientFixture()
        daemon = world.daemon
        model = RemoteViewModel(world.connection, at: .literal("boards"))
        screen.attach(to: model)
        world.connection.open()
        world.send(
            #"{"ok":{"to":"boards","matched":["boards"],"resumed":false},"id":1}"#,
            snapshot(4, rows: ["1"]), #"{"live":"boards","cursor":"k3:4"}"#)
        #expect(screen.take() == [list("1"), "update", "live"])
        #expect(daemon.take() == [#"{"op":"subscribe","to":"boards","id":1}"#])
    }

    private func row(_ id: String) -> String {
        #"{"id":"\#(id)","address":"board/\#(id)"}"#
    }

    private func snapshot(_ seq: Int, rows: [String], more: Bool = false) -> String {
        #"{"from":"boards","seq":\#(seq),"snapshot":true,"# + (more ? #""more":true,"# : "")
            + #""event":{"boards":{"boards":["# + rows.map(row).joined(separator: ",") + "]}}}"
    }

    private func insert(_ seq: Int, _ id: String) -> String {
        #"{"from":"boards","seq":\#(seq),"event":{"boardsEdited":{"edits":["#
            + #"{"insert":{"at":0,"row":"# + row(id) + "}}]}}}"
    }

    private func list(_ ids: String...) -> String {
        "\(Boards.ViewModelEvent.boards(boards: ids.map(value)))"
    }

    private func inserted(_ id: String) -> String {
        "\(Boards.ViewModelEvent.boardsEdited(edits: [.insert(at: 0, row: value(id))]))"
    }

    private func value(_ id: String) -> Boards.Row {
        Boards.Row(id: id, address: "board/\(id)")
    }

    private func subscribe(since: String, id: Int) -> String {
        #"{"op":"subscribe","to":"boards","since":"\#(since)","id":\#(id)}"#
    }

    private func answer(resumed: Bool, id: Int) -> String {
        #"{"ok":{"to":"boards","matched":["boards"],"resumed":\#(resumed)},"id":\#(id)}"#
    }

    @Test func `After a loss a view model asks for the later events, and gets only them`() {
        world.send(insert(5, "2"))
        world.hangUp()
        #expect(screen.take() == [inserted("2"), "update", "not live"])

        world.wait(.milliseconds(50))
        #expect(daemon.take() == [subscribe(since: "k3:5", id: 2)])
        world.send(
            answer(resumed: true, id: 2), insert(6, "3"), #"{"live":"boards","cursor":"k3:6"}"#)
        #expect(screen.take() == [inserted("3"), "update", "live"])
        #expect(model.output.current == [.boards(boards: ["3", "2", "1"].map(value))])
    }

    @Test func `A view model that missed nothing is live again without an event`() {
        world.hangUp()
        world.wait(.milliseconds(50))
        world.send(answer(resumed: true, id: 2), #"{"live":"boards","cursor":"k3:4"}"#)
        #expect(screen.take() == ["not live", "live"])
    }

    @Test func `The snapshot of a restarted daemon is used, though its seq is lower`() {
        world.send(insert(5, "2"))
        world.hangUp()
        world.wait(.milliseconds(50))
        _ = screen.take()
        world.send(
            answer(resumed: false, id: 2), snapshot(0, rows: ["1"]),
            #"{"live":"boards","cursor":"k7:0"}"#)
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
        let created = #""event":{"created":{"board":"2"}}}"#
        world.send(#"{"from":"boards","seq":5,"more":true,"# + created)
        world.hangUp()
        _ = screen.take()
        world.wait(.milliseconds(50))
        #expect(daemon.take() == [subscribe(since: "k3:5", id: 2)])
        world.send(
            answer(resumed: true, id: 2), insert(6, "2"), #"{"live":"boards","cursor":"k3:6"}"#)
        #expect(screen.take() == [inserted("2"), "update", "live"])
    }

    @Test func `A gap has the number of missed events, and the snapshot replaces them`() {
        world.send(#"{"gap":"boards","missed":37}"#)
        #expect(screen.take() == ["not live", "gap 37"])
        #expect(!model.isLive)
        world.send(snapshot(41, rows: ["5"]), #"{"live":"boards","cursor":"k3:41"}"#)
        #expect(screen.take() == [list("5"), "update", "live"])
        #expect(model.output.current == [.boards(boards: [value("5")])])
    }

    @Test func `A value that a new snapshot does not have is forgotten`() {
        world.send(#"{"gap":"boards","missed":1}"#, #"{"live":"boards","cursor":"k3:5"}"#)
        #expect(model.output.current == [])
    }

    @Test func `A resumed view model keeps its values`() {
        world.hangUp()
        world.wait(.milliseconds(50))
        world.send(answer(resumed: true, id: 2), #"{"live":"boards","cursor":"k3:4"}"#)
        #expect(model.output.current == [.boards(boards: [value("1")])])
    }

    @Test func `A repeated event is ignored`() {
        world.send(insert(5, "2"), insert(5, "2"), insert(4, "1"))
        #expect(screen.take() == [inserted("2"), "update"])
    }

    @Test func `A view model that was deleted during a loss is reported as gone`() {
        world.hangUp()
        world.wait(.milliseconds(50))
        world.send(#"{"error":{"code":"unknownViewModel","message":"no boards"},"id":2}"#)
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
