import Protocol
import Terminal

/// The two fields, the button, and what came of it.
final class LoginView: View {
    enum Field: Int {
        case username
        case password
    }

    enum Message: Equatable {
        case success(String)
        case failure(String)
    }

    let output = Output<Login.ViewEvent>()
    private(set) var username: TextField
    let password = SecretField()
    private(set) var focus: Field
    private(set) var canLogIn = false
    private(set) var isBusy = false
    private(set) var message: Message?
    /// Whether the view model was told the password as it is, else whether it was told an empty
    /// one. It needs the text only to check it: each telling makes copies on its way.
    private var told = (isCurrent: true, isEmpty: true)

    /// - Parameter username: what stands in that field already.
    init(username: String) {
        self.username = TextField(username)
        focus = username.isEmpty ? .username : .password
    }

    var hasSucceeded: Bool { if case .success = message { true } else { false } }

    func handle(event: Login.ViewModelEvent) {
        switch event {
        case .loginButtonEnabled(let isEnabled): canLogIn = isEnabled
        case .busy(let isBusy): self.isBusy = isBusy
        case .showSuccessMessage(let text): ended(.success(text))
        case .showFailureMessage(let text): ended(.failure(text))
        }
    }

    private func ended(_ message: Message) {
        self.message = message
        password.clear()
        tellPassword()
        focus = .password
    }

    // MARK: Editing

    func focus(on field: Field) { focus = field }

    func moveFocus() { focus = focus == .username ? .password : .username }

    func edit(_ key: Key) {
        switch focus {
        case .username: editUsername(key)
        case .password: editPassword(key)
        }
    }

    private func editUsername(_ key: Key) {
        let former = username.text
        guard username.edit(key), username.text != former else { return }
        message = nil
        output.send(.usernameChanged(username: username.text))
    }

    private func editPassword(_ key: Key) {
        guard password.edit(key) else { return }
        message = nil
        told.isCurrent = false
        if password.isEmpty != told.isEmpty { tellPassword() }
    }

    private func tellPassword() {
        told = (true, password.isEmpty)
        output.send(.passwordChanged(password: password.secret))
    }

    /// A new view model knows nothing.
    func tellAll() {
        if !username.text.isEmpty { output.send(.usernameChanged(username: username.text)) }
        if !password.isEmpty { tellPassword() }
    }

    func logIn() {
        message = nil
        if !told.isCurrent { tellPassword() }
        output.send(.loginTapped)
    }
}
