import BusdLoginEvents
import BusdProtocol
import BusdTerminal

/// The two fields, the button, and the result.
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
    /// The user name at the last tap.
    private var tappedName: String?
    private var unansweredTaps = 0
    /// Whether the view model has the current password, and whether the password that it has is
    /// empty. It needs the text only to check it, and each send makes copies.
    private var sent = (isCurrent: true, isEmpty: true)

    /// - Parameter username: initial text of the field, at most `TypedUsername.mostBytes` bytes.
    init(username: String) {
        self.username = TextField(username)
        focus = username.isEmpty ? .username : .password
    }

    func handle(event: Login.ViewModelEvent) {
        switch event {
        case .loginButtonEnabled(let isEnabled): canLogIn = isEnabled
        case .busy(let isBusy): self.isBusy = isBusy
        case .showSuccessMessage(let text, let user): succeeded(text, user)
        case .showFailureMessage(let text): ended(.failure(text))
        }
    }

    private func succeeded(_ text: String, _ user: String) {
        let isOwn = tappedName.map { $0.isExactly(user) } ?? false
        ended(isOwn ? .success(text) : .failure("The daemon has signed in another user, not you."))
    }

    /// The result of a tap arrives after the answer to the tap. An earlier message is ignored.
    private func ended(_ message: Message) {
        guard tappedName != nil, unansweredTaps == 0 else { return }
        tappedName = nil
        self.message = message
        password.clear()
        sendPassword()
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
        let former = username
        guard username.edit(key), username.text != former.text else { return }
        guard let name = TypedUsername(username.text) else {
            username = former
            return
        }
        message = nil
        output.send(.usernameChanged(username: name))
    }

    private func editPassword(_ key: Key) {
        guard password.edit(key) else { return }
        message = nil
        sent.isCurrent = false
        if password.isEmpty != sent.isEmpty { sendPassword() }
    }

    private func sendPassword() {
        sent = (true, password.isEmpty)
        output.send(.passwordChanged(password: password.secret))
    }

    /// Sends both fields, because a new view model has none.
    func sendAll() {
        if !username.text.isEmpty, let name = TypedUsername(username.text) {
            output.send(.usernameChanged(username: name))
        }
        if !password.isEmpty { sendPassword() }
    }

    func logIn() {
        message = nil
        if !sent.isCurrent { sendPassword() }
        tappedName = username.text
        unansweredTaps += 1
        output.send(.loginTapped)
    }

    /// The daemon has answered an event, or it will never answer.
    func answered(_ event: Login.ViewEvent) {
        if event == .loginTapped, unansweredTaps > 0 { unansweredTaps -= 1 }
    }
}
