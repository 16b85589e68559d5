import BusdApplicationTestSupport
import BusdEcho
import BusdProtocol
import BusdTestKit
import Testing

@Suite struct EchoViewModelTests {
    @Test func `An echo repeats each text, also the same one twice`() throws {
        let view = RecordingView(EchoViewModel(at: try address("echo/me"), services: ()))
        view.send(.say(text: "hello"))
        view.send(.say(text: "hello"))
        view.expect(.said(text: "hello"), .said(text: "hello"))
    }

    @Test func `A view that binds later gets nothing from an echo`() throws {
        let echo = EchoViewModel(at: try address("echo/me"), services: ())
        echo.startOnce()
        echo.handle(event: .say(text: "hello"))
        RecordingView(echo).expectNothing()
        #expect(echo.output.current == [])
    }

    @Test func `An echo is made on demand`() { #expect(EchoViewModel.placement == .onDemand) }
}
