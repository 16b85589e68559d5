import BusdLoginEvents
import BusdProtocol
import BusdScreens
import BusdTerminal
import Testing

@testable import login

extension LoginView {
    /// A tap that the daemon answers, and the failure that follows.
    func fail(_ text: String) {
        logIn()
        answered(.loginTapped)
        handle(event: .showFailureMessage(message: text))
    }
}

extension SecretField {
    var typed: String { secret.withBytes { String(decoding: $0, as: UTF8.self) } }
}

/// Records the events of the view, secrets included.
private final class Recorder {
    var events: [String] = []

    init(_ view: LoginView) {
        view.output.bind(self) { recorder, event in
            switch event {
            case .usernameChanged(let name): recorder.events.append("name \(name.text)")
            case .passwordChanged(let secret):
                recorder.events.append(
                    "password " + secret.withBytes { String(decoding: $0, as: UTF8.self) })
            case .loginTapped: recorder.events.append("tapped")
            }
        }
    }

    func take() -> [String] {
        defer { events = [] }
        return events
    }
}

@Suite struct SecretFieldTests {
    private let field = SecretField()

    private func press(_ keys: Key...) -> [Bool] { keys.map { field.edit($0) } }

    @Test func `Characters are typed and deleted at the end`() {
        #expect(press(.text("a"), .text("ß"), .text("水"), .backspace) == [true, true, true, true])
        #expect(field.typed == "aß")
        #expect(field.count == 2)
        #expect(press(.control("u"), .backspace, .control("u")) == [true, false, false])
        #expect(field.isEmpty)
        #expect(press(.left, .enter, .control("a")) == [false, false, false])
    }

    @Test func `Only the first line of a paste is taken`() {
        #expect(press(.paste("secret\nand more"), .paste("\n")) == [true, false])
        #expect(field.typed == "secret")
    }

    @Test func `The length of a password is limited`() {
        #expect(press(.paste(String(repeating: "x", count: 2_000))) == [true])
        #expect(field.count == SecretField.mostBytes)
        #expect(press(.text("x")) == [false])
    }

    @Test func `A line that was read elsewhere is taken as it is, up to the limit`() {
        let line = Array("geheim ".utf8)
        #expect(line.withUnsafeBytes { field.fill($0) })
        #expect(field.typed == "geheim ")
        let long = [UInt8](repeating: 1, count: SecretField.mostBytes + 1)
        #expect(!long.withUnsafeBytes { field.fill($0) })
        #expect(field.typed == "geheim ")
        #expect(field.isText)
        #expect([UInt8(0x61), 0].withUnsafeBytes { field.fill($0) })
        #expect(!field.isText)
        #expect([UInt8(0xFF)].withUnsafeBytes { field.fill($0) })
        #expect(!field.isText)
        #expect([UInt8]().withUnsafeBytes { field.fill($0) })
        #expect(field.isEmpty)
        #expect(press(.backspace) == [false])
    }
}

@Suite struct LoginViewTests {
    private let view = LoginView(username: "")

    private func type(_ text: String) { for key in Key.typing(text) { view.edit(key) } }

    @Test func `The name is sent with each key, the password with its first key and the tap`() {
        let recorder = Recorder(view)
        type("an")
        view.moveFocus()
        type("secret")
        #expect(recorder.take() == ["name a", "name an", "password s"])
        view.logIn()
        #expect(recorder.take() == ["password secret", "tapped"])
        view.logIn()
        #expect(recorder.take() == ["tapped"])
        view.edit(.control("u"))
        #expect(recorder.take() == ["password "])
    }

    @Test func `Only the view model enables the button`() {
        type("ann")
        view.moveFocus()
        type("secret")
        #expect(!view.canLogIn)
        view.handle(event: .loginButtonEnabled(isEnabled: true))
        #expect(view.canLogIn)
    }

    @Test func `A failure clears the password, which can be typed again`() {
        let recorder = Recorder(view)
        view.focus(on: .password)
        type("wrong")
        view.handle(event: .busy(isBusy: true))
        #expect(view.isBusy)
        view.fail("No.")
        #expect(view.message == .failure("No."))
        #expect(view.password.isEmpty)
        #expect(recorder.take() == ["password w", "password wrong", "tapped", "password "])
        type("r")
        #expect(view.message == nil)
    }

    @Test func `A success is shown, and clears the password`() {
        signIn("ann", as: "ann")
        #expect(view.message == .success("Login Successful!"))
        #expect(view.password.isEmpty)
    }

    /// Types a name and a password, taps, and gets a success.
    private func signIn(_ name: String, as user: String) {
        type(name)
        view.moveFocus()
        type("right")
        view.logIn()
        view.answered(.loginTapped)
        view.handle(event: .showSuccessMessage(message: "Login Successful!", user: user))
    }

    @Test(arguments: ["bob", "", "ann ", "Ann", "Zoe\u{308}"])
    func `A success that names another user is a failure`(user: String) {
        signIn(user == "Zoe\u{308}" ? "Zo\u{EB}" : "ann", as: user)
        #expect(view.message == .failure("The daemon has signed in another user, not you."))
        #expect(view.password.isEmpty)
    }

    @Test func `A message before the answer to the tap is ignored`() {
        type("ann")
        view.moveFocus()
        type("secret")
        let success = Login.ViewModelEvent.showSuccessMessage(message: "Yes.", user: "ann")
        view.handle(event: success)
        #expect(view.message == nil)
        view.logIn()
        view.handle(event: success)
        view.handle(event: .showFailureMessage(message: "No."))
        #expect(view.message == nil)
        view.answered(.passwordChanged(password: Secret("secret")))
        view.handle(event: success)
        #expect(view.message == nil)
        view.logIn()
        view.answered(.loginTapped)
        view.handle(event: success)
        #expect(view.message == nil)
        #expect(!view.password.isEmpty)
        view.answered(.loginTapped)
        view.handle(event: success)
        #expect(view.message == .success("Yes."))
    }

    @Test func `A tap has one result`() {
        view.fail("No.")
        type("ann")
        view.handle(event: .showFailureMessage(message: "Again."))
        #expect(view.message == nil)
    }

    @Test func `A user name that is too long can't be typed`() {
        let recorder = Recorder(view)
        let longest = String(repeating: "x", count: 200)
        view.edit(.paste(longest))
        type("y")
        view.edit(.paste("yy"))
        #expect(view.username.text == longest)
        #expect(recorder.take() == ["name \(longest)"])
    }

    @Test func `A new view model gets the typed name and password`() {
        type("ann")
        view.moveFocus()
        let recorder = Recorder(view)
        view.sendAll()
        type("secret")
        view.sendAll()
        #expect(recorder.take() == ["name ann", "password s", "name ann", "password secret"])
    }

    @Test func `A user from the command line needs to type only the password`() {
        #expect(LoginView(username: "ann").focus == .password)
        #expect(view.focus == .username)
    }
}

@Suite struct LoginKeysTests {
    @Test func `In the login all keys but a few are text`() {
        for key in [Key.tab, .backTab, .up, .down] { #expect(LoginCommand(key) == .otherField) }
        #expect(LoginCommand(.enter) == .confirm)
        #expect(LoginCommand(.escape) == .leave)
        #expect(LoginCommand(.text("q")) == .edit(.text("q")))
    }

    @Test func `The hints offer only keys that have an effect`() {
        let view = LoginView(username: "ann")
        func labels() -> [String] { LoginCommand.hints(view).map { "\($0.label) \($0.words)" } }
        #expect(labels() == ["enter next", "esc leave"])
        view.handle(event: .loginButtonEnabled(isEnabled: true))
        #expect(labels() == ["enter log in", "tab next", "esc leave"])
        view.handle(event: .busy(isBusy: true))
        #expect(labels() == ["esc leave"])
    }
}
