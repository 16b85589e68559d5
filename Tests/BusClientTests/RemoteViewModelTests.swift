import BusdClientTestSupport
import BusdEcho
import BusdProtocol
import Testing

@testable import BusdClient

@Suite struct RemoteViewModelTests {
    let world: ClientFixture
    let daemon: FakeDaemon
    let model: RemoteViewModel<Board>
    let screen = FakeView<Board>()

    init() throws {
        world = try ClientFixture()
        daemon = world.daemon
        model = RemoteViewModel(world.connection, at: .literal("board/1"), as: "container")
    }

    private func event(_ seq: Int, _ event: String, _ more: String = "") -> String {
        #"{"from":"board/1","seq":\#(seq),"# + more + #""event":"# + event + "}"
    }

    private func snapshot(_ seq: Int, paused: Bool, more: Bool = false) -> String {
        event(
            seq, #"{"paused":{"isPaused":\#(paused)}}"#,
            #""snapshot":true,"# + (more ? #""more":true,"# : ""))
    }

    /// Joins, with one value.
    private func join() {
        screen.attach(to: model)
        world.connection.open()
        world.send(
            #"{"ok":{"to":"board/1","matched":["board/1"],"resumed":false},"id":1}"#,
            snapshot(4, paused: true), #"{"live":"board/1","cursor":"k3:4"}"#)
        _ = screen.take()
        _ = daemon.take()
    }

    private func key(of line: String?) throws -> String {
        let document = JSONDocument()
        try document.read(Array(try #require(line).utf8))
        return try #require(document.root?["key"]?.text)
    }

    @Test func `A view sees the cause of an event while it handles the event`() {
        join()
        var causes: [BusEvent.Cause?] = []
        model.output.bind(screen) { [model] _, _ in causes.append(model.cause) }
        let event = #"{"paused":{"isPaused":false}}"#
        world.send(
            self.event(5, event, #""cause":{"connection":3,"id":7},"#),
            self.event(6, #"{"paused":{"isPaused":true}}"#))
        #expect(causes == [BusEvent.Cause(connection: 3, id: .integer(7)), nil])
        #expect(model.cause == nil)
        _ = screen.take()
    }

    // MARK: Joining

    @Test func `Binding a view subscribes, and the view gets the snapshot`() {
        world.connection.open()
        screen.attach(to: model)
        #expect(
            daemon.take() == [
                #"{"op":"subscribe","to":"board/1","as":"container","id":1}"#
            ])
        #expect(!model.isLive)

        world.send(
            #"{"ok":{"to":"board/1","matched":["board/1"],"resumed":false},"id":1}"#,
            snapshot(4, paused: true, more: true),
            event(4, #"{"undoable":{"canUndo":false}}"#, #""snapshot":true,"#),
            #"{"live":"board/1","cursor":"k3:4"}"#)
        #expect(
            screen.take() == [
                "paused(isPaused: true)", "undoable(canUndo: false, moves: nil, text: nil)",
                "update",
                "live",
            ])
        #expect(model.isLive)
        #expect(model.output.current == [.paused(isPaused: true), .undoable(canUndo: false)])
    }

    @Test func `A view model that is bound early subscribes once it is connected`() {
        screen.attach(to: model)
        model.start()
        #expect(daemon.take() == [])
        world.connection.open()
        #expect(daemon.take().count == 1)
    }

    @Test func `The view gets each event, and a callback after a whole update`() {
        join()
        world.send(
            event(5, #"{"score":{"home":1,"away":0,"text":"1 - 0"}}"#, #""more":true,"#),
            event(6, #"{"undoable":{"canUndo":true}}"#))
        #expect(
            screen.take() == [
                #"score(home: 1, away: 0, text: "1 - 0")"#,
                "undoable(canUndo: true, moves: nil, text: nil)", "update",
            ])
    }

    @Test func `The events of another view model are ignored`() {
        join()
        world.send(
            #"{"from":"board/2","seq":5,"event":{"paused":{"isPaused":false}}}"#,
            #"{"gap":"board/2","missed":3}"#, #"{"gone":"board/2"}"#,
            #"{"live":"board/2","cursor":"k9:5"}"#, #"{"live":"board/**"}"#)
        #expect(screen.take() == [])
        #expect(model.bookmark.cursor == Cursor(mark: "k3", seq: 4))
    }

    @Test(arguments: [
        #"{"weather":{"text":"rain"}}"#, #"{"paused":{"isPaused":"yes"}}"#,
        "{}",
    ]) func `An event that this client does not know is ignored`(unknown: String) {
        join()
        world.send(event(5, unknown, #""more":true,"#), event(6, #"{"paused":{"isPaused":false}}"#))
        #expect(screen.take() == ["paused(isPaused: false)", "update"])
        #expect(model.bookmark.cursor == Cursor(mark: "k3", seq: 6))
    }

    @Test func `Unknown fields of a later daemon are ignored`() {
        join()
        world.send(event(5, #"{"paused":{"isPaused":false,"since":3}}"#))
        #expect(screen.take() == ["paused(isPaused: false)", "update"])
    }

    @Test func `A view that binds later gets the present values`() {
        join()
        let late = FakeView<Board>()
        late.bind(with: model)
        #expect(late.take() == ["paused(isPaused: true)"])
        #expect(daemon.take() == [])
    }

    // MARK: Sending

    @Test func `A view's event is sent, with a key`() throws {
        join()
        screen.output.send(.togglePause)
        let line = daemon.take().first
        #expect(
            line
                == #"{"op":"send","to":"board/1","event":{"togglePause":{}},"key":""#
                + (try key(of: line)) + #"","id":2}"#)
        world.send(#"{"ok":{"seq":[5,5],"changed":true},"id":2}"#)
        #expect(screen.take() == [])
    }

    @Test func `While the daemon is away, only events that mean the same later wait`() throws {
        join()
        world.hangUp()
        _ = screen.take()
        screen.output.send(.togglePause)
        screen.output.send(.undo())
        screen.output.send(.pause)
        #expect(screen.take() == ["unsent: togglePause", "unsent: undo(moves: nil)"])
        #expect(world.connection.unansweredCount == 1)
    }

    @Test func `An event that does not mean the same later is not sent again`() throws {
        join()
        screen.output.send(.undo())
        world.hangUp()
        #expect(screen.take().contains("unanswered: undo(moves: nil)"))
        #expect(world.connection.unansweredCount == 0)
    }

    @Test func `A refused event is reported`() {
        join()
        screen.output.send(.undo())
        world.send(#"{"error":{"code":"notAllowed","message":"only looking"},"id":2}"#)
        #expect(screen.take() == ["refused: only looking"])
        #expect(model.isLive)
    }

    @Test func `An event whose answer was lost is sent again, after the subscription`() throws {
        join()
        screen.output.send(.pause)
        let key = try key(of: daemon.take().first)
        world.hangUp()
        world.wait(.milliseconds(50))
        #expect(
            daemon.take() == [
                #"{"op":"subscribe","to":"board/1","as":"container","since":"k3:4","id":3}"#,
                #"{"op":"send","to":"board/1","event":{"pause":{}},"key":""# + key
                    + #"","id":4}"#,
            ])
        world.send(#"{"ok":{"changed":false,"duplicate":true},"id":4}"#)
        #expect(screen.take() == ["not live"])
        world.wait(.seconds(10))
        #expect(screen.take() == [])
    }

    @Test func `An event without an answer for five seconds is reported as unanswered`() {
        join()
        screen.output.send(.pause)
        daemon.stop()
        world.settle()
        world.wait(.seconds(5))
        #expect(screen.take() == ["not live", "unanswered: pause"])
    }

    // MARK: Stopping

    @Test func `A stopped view model unsubscribes and gets nothing more`() {
        join()
        model.stop()
        model.stop()
        #expect(daemon.take() == [#"{"op":"unsubscribe","to":"board/1","id":2}"#])
        world.send(event(5, #"{"paused":{"isPaused":false}}"#))
        #expect(screen.take() == ["not live"])
    }

    @Test func `A view model that is started again resumes at its cursor`() {
        join()
        model.stop()
        _ = daemon.take()
        model.start()
        #expect(
            daemon.take() == [
                #"{"op":"subscribe","to":"board/1","as":"container","since":"k3:4","id":3}"#
            ])
    }

    @Test func `A released view model unsubscribes`() {
        world.connection.open()
        do {
            let model = RemoteViewModel<Echo>(world.connection, at: .literal("echo/a"))
            model.start()
        }
        #expect(
            daemon.take() == [
                #"{"op":"subscribe","to":"echo/a","id":1}"#,
                #"{"op":"unsubscribe","to":"echo/a","id":2}"#,
            ])
    }

    @Test func `Two view models at one address share a subscription`() {
        join()
        let second = RemoteViewModel<Board>(world.connection, at: .literal("board/1"))
        second.start()
        _ = daemon.take()
        second.stop()
        #expect(daemon.take() == [])
        world.send(event(5, #"{"paused":{"isPaused":false}}"#))
        #expect(screen.take() == ["paused(isPaused: false)", "update"])
        model.stop()
        #expect(daemon.take().count == 1)
    }

    @Test func `A callback may stop another view model during an event`() {
        join()
        let other = RemoteViewModel<Board>(world.connection, at: .literal("board/1"))
        other.start()
        let (model, screen) = (model, screen)
        model.onUpdate = { other.stop() }
        other.onUpdate = { Issue.record("it was stopped") }
        world.send(event(5, #"{"paused":{"isPaused":false}}"#))
        #expect(screen.take() == ["paused(isPaused: false)"])
    }

    // MARK: Refusals and ends

    @Test func `A refused subscription is reported, and not repeated`() {
        screen.attach(to: model)
        world.connection.open()
        world.send(#"{"error":{"code":"unknownViewModel","message":"no such board"},"id":1}"#)
        #expect(screen.take() == ["refused: no such board"])
        _ = daemon.take()
        world.hangUp()
        world.wait(.milliseconds(50))
        #expect(daemon.take() == [])

        model.start()
        #expect(daemon.take().count == 1)
    }

    @Test func `A view model that ends is reported as gone`() {
        join()
        world.send(#"{"gone":"board/1"}"#)
        #expect(screen.take() == ["not live", "gone"])
        world.hangUp()
        world.wait(.milliseconds(50))
        #expect(daemon.take() == [])

        model.start()
        #expect(
            daemon.take() == [#"{"op":"subscribe","to":"board/1","as":"container","id":2}"#])
    }
}
