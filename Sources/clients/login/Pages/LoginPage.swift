import BusdClient
import BusdLoginEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// Signs in. The view model enables the button and sends the result.
final class LoginPage: Page {
    private weak var host: (any PageHost<Step>)?
    private let viewModel: RemoteViewModel<Login>
    private let view: LoginView
    private var hasBeenLive = false

    init(
        _ view: LoginView, _ address: Address, _ connection: BusConnection,
        on host: any PageHost<Step>
    ) {
        self.view = view
        self.host = host
        viewModel = RemoteViewModel(connection, at: address, as: "login")
        viewModel.report(to: host)
        viewModel.onUpdate = { [weak self] in self?.updated() }
        viewModel.onLiveChanged = { [weak self] in self?.liveChanged($0) }
        viewModel.onRefused = { [weak self] in self?.refused($0) }
        viewModel.onAnswered = { [weak view] in view?.answered($0) }
        viewModel.onUnanswered = { [weak self] in self?.unanswered($0) }
        viewModel.onUnsent = { [weak self] in self?.unsent($0) }
        viewModel.onGone = { [weak self] in self?.gone() }
        view.bind(with: viewModel)
    }

    private func updated() {
        host?.changed()
        if case .success(let text) = view.message { host?.go(.signedIn(text)) }
    }

    /// After a lost connection the view model may be a new one, so it gets the fields again.
    private func liveChanged(_ isLive: Bool) {
        host?.changed()
        guard isLive else { return }
        hasBeenLive = true
        if !view.isBusy { view.sendAll() }
    }

    private func refused(_ error: WireError) {
        if hasBeenLive {
            host?.showNotice("refused: \(error.message)")
        } else {
            host?.go(.refused(error))
        }
    }

    private func unanswered(_ event: Login.ViewEvent) {
        view.answered(event)
        host?.showNotice(event.withoutAnswer)
    }

    private func unsent(_ event: Login.ViewEvent) {
        view.answered(event)
        host?.showNotice("the daemon is away: log in when it is back")
    }

    /// A login ends with its connection, or if the daemon ends it. `start` asks for a new one.
    private func gone() {
        host?.showNotice("the daemon has ended the login: try again")
        viewModel.start()
    }

    // MARK: Keys

    func press(_ key: Key) {
        host?.changed()
        switch LoginCommand(key) {
        case .otherField: view.moveFocus()
        case .confirm: confirm()
        case .leave: host?.go(.leave)
        case .edit(let key): view.edit(key)
        }
    }

    /// A fast user presses Enter before the view model has enabled the button. The view model gets
    /// the text first, and decides.
    private func confirm() {
        if view.focus == .password || view.canLogIn { view.logIn() } else { view.moveFocus() }
    }

    func touch(_ touch: Touch) {
        guard case .field(let number) = touch, let field = LoginView.Field(rawValue: number) else {
            return
        }
        view.focus(on: field)
        host?.changed()
    }

    // MARK: Drawing

    var minimum: Size { LoginPicture.minimum }

    var hints: [Hint] { LoginCommand.hints(view) }

    func draw(on picture: inout Picture, in area: Area) {
        LoginPicture(view).draw(on: &picture, in: area)
    }
}
