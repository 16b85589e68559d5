import BusdProtocol
import BusdTestKit
import BusdViewModels
import Testing

/// The kit is tested by tests that fail, and by what they say then.
@Suite struct `A recording view` {
    private func echo() throws -> RecordingView<EchoViewModel> {
        RecordingView(EchoViewModel(at: try address("echo/me"), services: ()))
    }

    private func echo(saying texts: String...) throws -> RecordingView<EchoViewModel> {
        let view = try echo()
        for text in texts { view.send(.say(text: text)) }
        return view
    }

    @Test func `is content when every event was expected in its order`() throws {
        let view = try echo(saying: "a", "b", "c")
        view.expect(.said(text: "a"))
        view.expect(.said(text: "b"), .said(text: "c"))
        view.expectNothing()
    }

    @Test func `hears what came before its first expectation`() throws {
        let world = World()
        let creator = GameCreatorViewModel(at: try address("game-creator/me"), services: world)
        RecordingView(creator, only: ["createEnabled"]).expect(.createEnabled(isEnabled: false))
    }

    @Test func `names an event that did not come`() throws {
        let view = try echo()
        failing(
            with: """
                other events came (− expected, + came):
                − said(text: "a")
                """
        ) { view.expect(.said(text: "a")) }
    }

    @Test func `names an event that nobody expected`() throws {
        let view = try echo(saying: "a")
        failing(
            with: """
                other events came (− expected, + came):
                + said(text: "a")
                """
        ) { view.expectNothing() }
    }

    @Test func `shows the difference among what did come, and tells it once`() throws {
        let view = try echo(saying: "a", "x", "c", "d")
        failing(
            with: """
                other events came (− expected, + came):
                  said(text: "a")
                − said(text: "b")
                + said(text: "x")
                  said(text: "c")
                + said(text: "d")
                """
        ) { view.expect(.said(text: "a"), .said(text: "b"), .said(text: "c")) }
        view.expectNothing()
    }

    @Test func `minds the order`() throws {
        let view = try echo(saying: "a", "b")
        failing(
            with: """
                other events came (− expected, + came):
                − said(text: "b")
                  said(text: "a")
                + said(text: "b")
                """
        ) { view.expect(.said(text: "b"), .said(text: "a")) }
    }

    @Test func `fails at the line of the expectation`() throws {
        let view = try echo(saying: "a")
        let line = #line + 2
        failing(with: "other events came (− expected, + came):\n+ said(text: \"a\")", at: line) {
            view.expectNothing()
        }
    }

    @Test func `fails at the line where it was made, when it goes with events unexpected`() throws {
        let echo = EchoViewModel(at: try address("echo/me"), services: ())
        let line = #line + 2
        failing(with: "other events came (− expected, + came):\n+ said(text: \"a\")", at: line) {
            let view = RecordingView(echo)
            view.send(.say(text: "a"))
        }
    }

    @Test func `hears only the events that it was asked to`() throws {
        let creator = GameCreatorViewModel(at: try address("game-creator/me"), services: World())
        let view = RecordingView(creator, only: ["createEnabled"])
        view.expect(.createEnabled(isEnabled: false))
        view.send(.teamNameChanged(side: .home, name: "Hawks"))
        view.expectNothing()
    }

    @Test func `refuses a name that no event has`() throws {
        let echo = EchoViewModel(at: try address("echo/me"), services: ())
        failing(with: "no event of the view model has the name sad, shouted") {
            _ = RecordingView(echo, only: ["said", "shouted", "sad"])
        }
    }

    @Test func `forgets what the test does not want to repeat`() throws {
        let view = try echo(saying: "a")
        view.forget()
        view.send(.say(text: "b"))
        view.expect(.said(text: "b"))
    }

    @Test func `keeps its view model`() throws {
        let view = try echo()
        view.model.handle(event: .say(text: "a"))
        view.expect(.said(text: "a"))
    }
}

/// The body records one issue, which says this, and at this line if it is given.
private func failing(with text: String, at line: Int? = nil, _ body: () -> Void) {
    withKnownIssue {
        body()
    } matching: { issue in
        issue.comments.map(\.rawValue) == [text]
            && (line == nil || issue.sourceLocation?.line == line)
    }
}
