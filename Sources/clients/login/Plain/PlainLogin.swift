import BusdClient
import BusdLoginEvents
import BusdOptions
import BusdProtocol
import BusdScreens
import BusdTerminal

/// Signs in without a screen, and prints the result.
final class PlainLogin {
    private let settings: Settings
    private let lines: PlainRun
    private let viewModel: RemoteViewModel<Login>
    private let view: LoginView
    private var hasSentFields = false
    private var hasTapped = false

    init(_ settings: Settings, _ loop: ClientLoop) {
        self.settings = settings
        lines = PlainRun("busd-login", settings.client, loop, for: .answer)
        viewModel = RemoteViewModel(lines.connection, at: settings.address, as: "login")
        view = LoginView(username: settings.user)
    }

    func run() throws -> Outcome {
        guard !settings.user.isEmpty else {
            return Outcome(.usage, "add --user NAME, which is required without a screen")
        }
        do throws(PasswordInput.Failure) {
            try PasswordInput.readLine(into: view.password, lines.connection.loop)
        } catch {
            return error.outcome
        }
        // Nothing else keeps this object alive while the loop runs.
        return try withExtendedLifetime(self) { try lines.run { [weak self] in self?.start() } }
    }

    private func start() {
        viewModel.onUpdate = { [weak self] in self?.updated() }
        viewModel.onLiveChanged = { [weak self] in if $0 { self?.sendFields() } }
        viewModel.onRefused = { [weak lines] in lines?.end(.refused($0)) }
        viewModel.onAnswered = { [weak view] in view?.answered($0) }
        viewModel.onGone = { [weak lines] in
            lines?.end(.gone("the daemon has ended the login"))
        }
        view.bind(with: viewModel)
    }

    /// Sends the fields. The state of the button counts only after the answer to a `ping`: an
    /// earlier state belongs to other fields.
    private func sendFields() {
        view.sendAll()
        lines.connection.request(.ping) { [weak self] _ in
            self?.hasSentFields = true
            self?.updated()
        }
    }

    private func updated() {
        switch view.message {
        case .success(let text):
            lines.line(text)
            lines.end(.done)
        case .failure(let text): lines.end(Outcome(.denied, text))
        case nil:
            guard hasSentFields, view.canLogIn, !hasTapped else { return }
            hasTapped = true
            view.logIn()
        }
    }
}
