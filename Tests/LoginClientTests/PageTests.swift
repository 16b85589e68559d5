import BusdClient
import BusdLoginEvents
import BusdOptions
import BusdProtocol
import BusdScreens
import BusdScreensTestSupport
import BusdTerminal
import TestSupport
import Testing

@testable import login

private final class RecordingStage: PageHost {
    var steps: [Step] = []
    var notices: [String] = []

    func changed() {}
    func showNotice(_ notice: String) { notices.append(notice) }
    func go(_ step: Step) { steps.append(step) }
}

/// The page without a daemon.
@Suite struct PageTests {
    private let stage = RecordingStage()
    private let view = LoginView(username: "")
    private let page: LoginPage

    init() throws {
        let connection = BusConnection(loop: try ClientLoop(), path: "/nowhere/busd.sock")
        page = LoginPage(view, .literal("login/me"), connection, on: stage)
    }

    private func press(_ keys: Key...) { for key in keys { page.press(key) } }

    @Test func `Enter goes from the name to the password, and from there it logs in`() {
        var taps = 0
        view.output.bind(view) { if case .loginTapped = $1 { taps += 1 } }
        press(.text("a"), .enter)
        #expect(view.focus == .password)
        press(.text("x"))
        #expect(taps == 0)
        press(.enter)
        #expect(taps == 1)
        view.handle(event: .loginButtonEnabled(isEnabled: true))
        press(.tab, .enter)
        #expect(view.focus == .username)
        #expect(taps == 2)
    }

    @Test func `A tap while the daemon is away is not sent, and the next one counts`() {
        press(.text("a"), .enter, .text("x"), .enter)
        #expect(stage.notices == ["the daemon is away: log in when it is back"])
        view.logIn()
        view.answered(.loginTapped)
        view.handle(event: .showFailureMessage(message: "no"))
        #expect(view.message == .failure("no"))
    }

    @Test func `A click chooses a field`() {
        page.touch(.field(1))
        #expect(view.focus == .password)
        page.touch(.field(0))
        #expect(view.focus == .username)
        page.touch(.field(7))
        #expect(view.focus == .username)
    }

    @Test func `Esc leaves the page`() {
        press(.escape)
        #expect(stage.steps == [.leave])
    }
}

@Suite(.showsScreens) struct LoginPictureTests {
    private let view = LoginView(username: "ann")

    private func drawn(_ columns: Int, _ rows: Int) -> Picture {
        picture(columns, rows) { LoginPicture(view).draw(on: &$0, in: $1) }
    }

    @Test func `A password is shown as one bullet for each character`() {
        view.edit(.paste("secret"))
        view.fail("no")
        view.edit(.paste("geheim"))
        #expect(
            drawn(52, 12).frame.text == """

                            Who are you?

                  User name ann

                   Password ••••••

                             Log in

                """)
        #expect(drawn(52, 12).frame.cursor == Point(column: 18, row: 5))
    }

    @Test func `The login fits a small screen, with the message below`() {
        view.fail("The name or the password is wrong.")
        #expect(
            drawn(34, 7).frame.text == """
                            Who are you?
                  User name ann
                   Password
                             Log in
                  The name or the password is
                  wrong.

                """)
    }

    @Test func `The button can be clicked once it is enabled`() throws {
        let button = try #require(place(of: "Log in", in: drawn(60, 20)))
        #expect(drawn(60, 20).touch(at: button) == nil)
        view.handle(event: .loginButtonEnabled(isEnabled: true))
        #expect(drawn(60, 20).touch(at: button) == .key(.enter))
    }

    @Test func `A check under way is shown`() {
        view.handle(event: .busy(isBusy: true))
        #expect(drawn(60, 20).frame.text.contains("Checking…"))
    }

    @Test func `The login draws nothing outside its area`() {
        view.fail("The name or the password is wrong.")
        for columns in stride(from: 0, through: 100, by: 5) {
            for rows in 0...12 {
                expectInside(columns, rows) { LoginPicture(view).draw(on: &$0, in: $1) }
            }
        }
    }
}

@Suite struct SettingsTests {
    private func settings(_ words: String...) throws -> Settings {
        guard case .run(let settings) = try Settings.read(words) else { throw Unexpected() }
        return settings
    }

    private struct Unexpected: Error {}

    @Test func `Each program has an address that cannot be guessed`() throws {
        let addresses = try (0..<10).map { _ in try settings().address.text }
        #expect(addresses.allSatisfy { $0.wholeMatch(of: #/login/[0-9a-f]{32}/#) != nil })
        #expect(Set(addresses).count == 10)
    }

    @Test func `Options are read`() throws {
        #expect(try settings("-u", "ann").user == "ann")
        #expect(try settings("--plain").client.isPlain)
    }

    @Test func `A user name that is too long is a usage error`() throws {
        let longest = String(repeating: "x", count: 200)
        #expect(try settings("--user", longest).user == longest)
        let error = #expect(throws: UsageError.self) {
            try Settings.read(["--user", longest + "x"])
        }
        #expect(
            error?.description
                == "busd-login: a user name must have at most 200 bytes\nTry 'busd-login --help'.")
    }

    @Test(arguments: [["x"], ["--name", "desk"], ["--timeout", "-1"], ["--password", "x"]])
    func `Invalid arguments are a usage error`(words: [String]) {
        #expect(throws: (any Error).self) { try Settings.read(words) }
    }

    @Test func `Help and version are shown`() throws {
        for word in ["--help", "--version"] {
            guard case .show(let text) = try Settings.read([word]) else { throw Unexpected() }
            #expect(text.contains("login"))
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }
    }
}
