import BusdApplicationTestSupport
import BusdHosting
import BusdLogin
import BusdLoginEvents
import BusdProtocol
import BusdTestKit
import Testing

struct LoginViewModelTests {
    private let passwords = TestPasswords()

    private func login() throws -> RecordingView<LoginViewModel> {
        let model = try #require(LoginViewModel(at: try address("login/me"), services: passwords))
        let view = RecordingView(model)
        view.expect(.loginButtonEnabled(isEnabled: false), .busy(isBusy: false))
        return view
    }

    private func username(_ text: String) throws -> LoginViewModel.ViewEvent {
        .usernameChanged(username: try #require(TypedUsername(text)))
    }

    private func filled() throws -> RecordingView<LoginViewModel> {
        let view = try login()
        view.send(try username("ann"))
        view.send(.passwordChanged(password: Secret("hush")))
        view.expect(.loginButtonEnabled(isEnabled: true))
        return view
    }

    private func tapped() throws -> RecordingView<LoginViewModel> {
        let view = try filled()
        view.send(.loginTapped)
        view.expect(.busy(isBusy: true), .loginButtonEnabled(isEnabled: false))
        return view
    }

    @Test func `The button is enabled while both fields are filled`() throws {
        let view = try login()
        view.send(try username("ann"))
        view.expectNothing()
        view.send(.passwordChanged(password: Secret("p")))
        view.expect(.loginButtonEnabled(isEnabled: true))
        view.send(.passwordChanged(password: Secret("pa")))
        view.expectNothing()
        view.send(try username(""))
        view.expect(.loginButtonEnabled(isEnabled: false))
        view.send(.passwordChanged(password: Secret("")))
        view.send(try username(" "))
        view.expectNothing()
        view.send(.passwordChanged(password: Secret(" ")))
        view.expect(.loginButtonEnabled(isEnabled: true))
    }

    @Test func `A tap checks the name and the password of the fields`() throws {
        let view = try tapped()
        #expect(
            passwords.requests == [
                TestPasswords.Request(username: "ann", password: "hush", sender: nil)
            ])
        view.expectNothing()
    }

    @Test func `A tap on a disabled button has no effect`() throws {
        let view = try login()
        view.send(.loginTapped)
        view.send(try username("ann"))
        view.send(.loginTapped)
        view.expectNothing()
        #expect(passwords.requests == [])
    }

    @Test func `A tap during a check has no effect`() throws {
        let view = try tapped()
        view.send(.loginTapped)
        view.expectNothing()
        #expect(passwords.requests.count == 1)
    }

    @Test func `Text that is typed during a check is for the next check`() throws {
        let view = try tapped()
        view.send(.passwordChanged(password: Secret("another")))
        view.send(try username("bob"))
        view.expectNothing()
        passwords.answer(.wrong)
        view.forget()
        view.send(.loginTapped)
        view.expect(.busy(isBusy: true), .loginButtonEnabled(isEnabled: false))
        #expect(
            passwords.requests.last
                == TestPasswords.Request(username: "bob", password: "another", sender: nil))
    }

    @Test func `The right password is a success`() throws {
        let view = try tapped()
        passwords.answer(.right)
        view.expect(
            .busy(isBusy: false), .loginButtonEnabled(isEnabled: true),
            .showSuccessMessage(message: "Login Successful!", user: "ann"))
    }

    @Test func `A success names the user that was checked, not the one in the field`() throws {
        let view = try tapped()
        view.send(try username("bob"))
        passwords.answer(.right)
        view.expect(
            .busy(isBusy: false), .loginButtonEnabled(isEnabled: true),
            .showSuccessMessage(message: "Login Successful!", user: "ann"))
    }

    @Test func `The button can be tapped again after a failure`() throws {
        let view = try tapped()
        passwords.answer(.wrong)
        view.expect(
            .busy(isBusy: false), .loginButtonEnabled(isEnabled: true),
            .showFailureMessage(
                message: "Wrong name or password. Five failures in a row lock a name for 30 s."))
        view.send(.loginTapped)
        view.expect(.busy(isBusy: true), .loginButtonEnabled(isEnabled: false))
        let request = TestPasswords.Request(username: "ann", password: "hush", sender: nil)
        #expect(passwords.requests == [request, request])
    }

    @Test func `A check that can't be made has a failure message of its own`() throws {
        let view = try tapped()
        passwords.answer(.unknown)
        view.expect(
            .busy(isBusy: false), .loginButtonEnabled(isEnabled: true),
            .showFailureMessage(message: "The password can't be checked now."))
    }

    @Test func `A field that was emptied during a check keeps the button disabled`() throws {
        let view = try tapped()
        view.send(.passwordChanged(password: Secret("")))
        passwords.answer(.right)
        view.expect(
            .busy(isBusy: false), .showSuccessMessage(message: "Login Successful!", user: "ann"))
    }

    @Test func `A released view model ignores the answer to its check`() throws {
        weak var gone: LoginViewModel?
        do {
            let view = try tapped()
            gone = view.model
        }
        #expect(gone == nil)
        passwords.answer(.right)
    }

    @Test func `The sender of a check is the connection that tapped`() throws {
        passwords.sender = Sender(connection: 7, uid: 1000)
        let view = try tapped()
        view.expectNothing()
        #expect(passwords.requests.map(\.sender) == [Sender(connection: 7, uid: 1000)])
    }

    @Test func `A released view model cancels its check`() throws {
        do {
            let view = try tapped()
            view.expectNothing()
            #expect(passwords.cancelled == 0)
        }
        #expect(passwords.cancelled == 1)
    }

    @Test func `A second check replaces the first, which has been answered`() throws {
        let view = try tapped()
        passwords.answer(.wrong)
        view.forget()
        #expect(passwords.cancelled == 0)
        view.send(.loginTapped)
        view.forget()
        #expect(passwords.cancelled == 1)
        #expect(passwords.requests.count == 2)
    }

    @Test func `A login belongs to one connection`() {
        #expect(LoginViewModel.placement == .perConnection)
    }

    /// A password service with answers that the test controls.
    private final class TestPasswords: HasPasswords, HasSender, PasswordService {
        struct Request: Equatable {
            let username: String
            let password: String
            let sender: Sender?
        }

        var sender: Sender?
        private(set) var requests: [Request] = []
        private(set) var cancelled = 0
        private var answer: ((PasswordVerdict) -> Void)?

        var passwords: any PasswordService { self }

        func check(
            _ password: Secret, of username: String, for sender: Sender?,
            _ answer: @escaping (PasswordVerdict) -> Void
        ) -> PasswordCheck {
            let text = password.withBytes { String(decoding: $0, as: UTF8.self) }
            requests.append(Request(username: username, password: text, sender: sender))
            self.answer = answer
            return PasswordCheck { [weak self] in self?.cancelled += 1 }
        }

        func answer(_ verdict: PasswordVerdict) {
            let answer = self.answer
            self.answer = nil
            answer?(verdict)
        }
    }
}
