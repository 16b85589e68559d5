import Protocol
import TestKit
import Testing
import ViewModels

struct LoginViewModelTests {
    private let world = Desk()

    private func login() throws -> RecordingView<LoginViewModel> {
        let model = try #require(LoginViewModel(at: try address("login/me"), services: world))
        let view = RecordingView(model)
        view.expect(.loginButtonEnabled(isEnabled: false), .busy(isBusy: false))
        return view
    }

    private func filled() throws -> RecordingView<LoginViewModel> {
        let view = try login()
        view.send(.usernameChanged(username: "ann"))
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

    @Test func `the button wants both fields filled`() throws {
        let view = try login()
        view.send(.usernameChanged(username: "ann"))
        view.expectNothing()
        view.send(.passwordChanged(password: Secret("p")))
        view.expect(.loginButtonEnabled(isEnabled: true))
        view.send(.passwordChanged(password: Secret("pa")))
        view.expectNothing()
        view.send(.usernameChanged(username: ""))
        view.expect(.loginButtonEnabled(isEnabled: false))
        view.send(.passwordChanged(password: Secret("")))
        view.send(.usernameChanged(username: " "))
        view.expectNothing()
        view.send(.passwordChanged(password: Secret(" ")))
        view.expect(.loginButtonEnabled(isEnabled: true))
    }

    @Test func `a tap has what stands in the fields checked`() throws {
        let view = try tapped()
        #expect(world.asked == [Desk.Asked(username: "ann", password: "hush")])
        view.expectNothing()
    }

    @Test func `a tap on a button that is not enabled has no effect`() throws {
        let view = try login()
        view.send(.loginTapped)
        view.send(.usernameChanged(username: "ann"))
        view.send(.loginTapped)
        view.expectNothing()
        #expect(world.asked == [])
    }

    @Test func `a tap while a check is under way has no effect`() throws {
        let view = try tapped()
        view.send(.loginTapped)
        view.expectNothing()
        #expect(world.asked.count == 1)
    }

    @Test func `what is typed while a check is under way is for the next one`() throws {
        let view = try tapped()
        view.send(.passwordChanged(password: Secret("another")))
        view.send(.usernameChanged(username: "bob"))
        view.expectNothing()
        world.answer(.wrong)
        view.forget()
        view.send(.loginTapped)
        view.expect(.busy(isBusy: true), .loginButtonEnabled(isEnabled: false))
        #expect(world.asked.last == Desk.Asked(username: "bob", password: "another"))
    }

    @Test func `the right password is a success`() throws {
        let view = try tapped()
        world.answer(.right)
        view.expect(
            .busy(isBusy: false), .loginButtonEnabled(isEnabled: true),
            .showSuccessMessage(message: "Login Successful!"))
    }

    @Test func `after a failure one may tap again`() throws {
        let view = try tapped()
        world.answer(.wrong)
        view.expect(
            .busy(isBusy: false), .loginButtonEnabled(isEnabled: true),
            .showFailureMessage(
                message: "Wrong name or password. Five failures in a row lock a name for 30 s."))
        view.send(.loginTapped)
        view.expect(.busy(isBusy: true), .loginButtonEnabled(isEnabled: false))
        let asked = Desk.Asked(username: "ann", password: "hush")
        #expect(world.asked == [asked, asked])
    }

    @Test func `a check that can't be made is a failure of its own`() throws {
        let view = try tapped()
        world.answer(.unknown)
        view.expect(
            .busy(isBusy: false), .loginButtonEnabled(isEnabled: true),
            .showFailureMessage(message: "The password can't be checked now."))
    }

    @Test func `fields that were emptied meanwhile keep the button disabled`() throws {
        let view = try tapped()
        view.send(.passwordChanged(password: Secret("")))
        world.answer(.right)
        view.expect(
            .busy(isBusy: false), .showSuccessMessage(message: "Login Successful!"))
    }

    @Test func `one that is gone when the answer comes hears nothing`() throws {
        weak var gone: LoginViewModel?
        do {
            let view = try tapped()
            gone = view.model
        }
        #expect(gone == nil)
        world.answer(.right)
    }

    /// Whoever checks passwords: it answers when the test says so.
    private final class Desk: HasPasswords, PasswordService {
        struct Asked: Equatable {
            let username: String
            let password: String
        }

        private(set) var asked: [Asked] = []
        private var answer: ((PasswordVerdict) -> Void)?

        var passwords: any PasswordService { self }

        func check(
            _ password: Secret, of username: String, _ answer: @escaping (PasswordVerdict) -> Void
        ) {
            let text = password.withBytes { String(decoding: $0, as: UTF8.self) }
            asked.append(Asked(username: username, password: text))
            self.answer = answer
        }

        func answer(_ verdict: PasswordVerdict) {
            let answer = self.answer
            self.answer = nil
            answer?(verdict)
        }
    }
}
