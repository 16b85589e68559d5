import BusdApplicationTestSupport
import BusdEcho
import BusdGamesEvents
import BusdProtocol
import BusdTestKit
import Testing

@testable import BusdGames

/// The tests of the kit expect failures, with their messages.
@Suite struct TestKitRecordingViewTests {
    private func echo() throws -> RecordingView<EchoViewModel> {
        RecordingView(EchoViewModel(at: try address("echo/me"), services: ()))
    }

    private func echo(saying texts: String...) throws -> RecordingView<EchoViewModel> {
        let view = try echo()
        for text in texts { view.send(.say(text: text)) }
        return view
    }

    @Test func `A recording view accepts events that were expected in their order`() throws {
        let view = try echo(saying: "a", "b", "c")
        view.expect(.said(text: "a"))
        view.expect(.said(text: "b"), .said(text: "c"))
        view.expectNothing()
    }

    @Test func `A recording view has the events from before its first expectation`() throws {
        let world = GamesFixture()
        let creator = GameCreatorViewModel(at: try address("game-creator/me"), services: world)
        RecordingView(creator, only: ["createEnabled"]).expect(.createEnabled(isEnabled: false))
    }

    @Test func `A failure names an event that did not arrive`() throws {
        let view = try echo()
        failing(
            with: """
                events differ (− expected, + received):
                − said(text: "a")
                """
        ) { view.expect(.said(text: "a")) }
    }

    @Test func `A failure names an event that was not expected`() throws {
        let view = try echo(saying: "a")
        failing(
            with: """
                events differ (− expected, + received):
                + said(text: "a")
                """
        ) { view.expectNothing() }
    }

    @Test func `A failure shows the difference to the expected events, once`() throws {
        let view = try echo(saying: "a", "x", "c", "d")
        failing(
            with: """
                events differ (− expected, + received):
                  said(text: "a")
                − said(text: "b")
                + said(text: "x")
                  said(text: "c")
                + said(text: "d")
                """
        ) { view.expect(.said(text: "a"), .said(text: "b"), .said(text: "c")) }
        view.expectNothing()
    }

    @Test func `Events in another order are a failure`() throws {
        let view = try echo(saying: "a", "b")
        failing(
            with: """
                events differ (− expected, + received):
                − said(text: "b")
                  said(text: "a")
                + said(text: "b")
                """
        ) { view.expect(.said(text: "b"), .said(text: "a")) }
    }

    @Test func `A failure is at the line of the expectation`() throws {
        let view = try echo(saying: "a")
        let line = #line + 2
        failing(with: "events differ (− expected, + received):\n+ said(text: \"a\")", at: line) {
            view.expectNothing()
        }
    }

    @Test func `Unexpected events at the release of a view fail where it was made`() throws {
        let echo = EchoViewModel(at: try address("echo/me"), services: ())
        let line = #line + 2
        failing(with: "events differ (− expected, + received):\n+ said(text: \"a\")", at: line) {
            let view = RecordingView(echo)
            view.send(.say(text: "a"))
        }
    }

    @Test func `A recording view may be limited to named events`() throws {
        let creator = GameCreatorViewModel(
            at: try address("game-creator/me"), services: GamesFixture())
        let view = RecordingView(creator, only: ["createEnabled"])
        view.expect(.createEnabled(isEnabled: false))
        view.send(.teamNameChanged(side: .home, name: "Hawks"))
        view.expectNothing()
    }

    @Test func `A recording view refuses a name that no event has`() throws {
        let echo = EchoViewModel(at: try address("echo/me"), services: ())
        failing(with: "the view model has no event named sad or shouted") {
            _ = RecordingView(echo, only: ["said", "shouted", "sad"])
        }
    }

    @Test func `A recording view does not hand over an event that is refused`() throws {
        let world = GamesFixture()
        let view = RecordingView(
            GameCreatorViewModel(at: try address("game-creator/me"), services: world))
        view.forget()
        let refusal = Refusal(.badEvent, "the margin must be 1 to 5", at: "points")
        view.send(.marginChanged(points: 6))
        view.expect(refusal: refusal)
        view.expectNothing()
        view.send(.marginChanged(points: 6))
        failing(
            with: """
                refusals differ (− expected, + received):
                + badEvent at points: the margin must be 1 to 5
                """
        ) { view.expectNothing() }
        failing(
            with: """
                refusals differ (− expected, + received):
                − badEvent at points: the margin must be 1 to 5
                """
        ) { view.expect(refusal: refusal) }
    }

    @Test func `A recording view can forget its events`() throws {
        let view = try echo(saying: "a")
        view.forget()
        view.send(.say(text: "b"))
        view.expect(.said(text: "b"))
    }

    @Test func `A recording view keeps its view model alive`() throws {
        let view = try echo()
        view.model.handle(event: .say(text: "a"))
        view.expect(.said(text: "a"))
    }
}

/// Expects that the body records one issue with this text, at this line if one is given.
private func failing(with text: String, at line: Int? = nil, _ body: () -> Void) {
    withKnownIssue {
        body()
    } matching: { issue in
        issue.comments.map(\.rawValue) == [text]
            && (line == nil || issue.sourceLocation?.line == line)
    }
}
