public import BusdProtocol

/// `login/NAME`: signing in.
public enum Login: ViewModelKind {
    public static let name = "login"
    /// In bytes.
    public static let limits = [
        Limit("username", most: TypedUsername.mostBytes),
        Limit("password", most: Secret.mostBytes),
    ]

    public enum ViewEvent: WireEvent {
        /// At most `TypedUsername.mostBytes` bytes; a longer name is refused.
        case usernameChanged(username: TypedUsername)
        /// At most `Secret.mostBytes` bytes; a longer password is refused.
        case passwordChanged(password: Secret)
        /// Checks the name and the password. No effect unless `loginButtonEnabled`.
        case loginTapped

        public var canWait: Bool {
            switch self {
            case .usernameChanged, .passwordChanged: true
            case .loginTapped: false
            }
        }

        public static let examples: [Self] = [
            .usernameChanged(username: .literal("ann")),
            .passwordChanged(password: Secret("…")),
            .loginTapped,
        ]
    }

    public enum ViewModelEvent: WireEvent {
        /// Both fields are filled, and no check is under way.
        case loginButtonEnabled(isEnabled: Bool)
        /// A check is under way.
        case busy(isBusy: Bool)
        /// `user` has signed in: the name that was in the field when the button was tapped.
        case showSuccessMessage(message: String, user: String)
        /// The same for an unknown user and a wrong password.
        case showFailureMessage(message: String)

        public var delivery: Delivery {
            switch self {
            case .loginButtonEnabled, .busy: .latest
            case .showSuccessMessage, .showFailureMessage: .every
            }
        }

        public static let examples: [Self] = [
            .loginButtonEnabled(isEnabled: true),
            .busy(isBusy: false),
            .showSuccessMessage(message: "Login Successful!", user: "ann"),
            .showFailureMessage(message: "The name or the password is wrong."),
        ]
    }
}
