/// `login/NAME`: signing in.
public enum Login: ViewModelKind {
    public static let name = "login"

    public enum ViewEvent: WireEvent {
        case usernameChanged(username: String)
        case passwordChanged(password: Secret)
        case loginTapped

        public static let examples: [Self] = [
            .usernameChanged(username: "ann"),
            .passwordChanged(password: Secret("…")),
            .loginTapped,
        ]
    }

    public enum ViewModelEvent: WireEvent {
        /// Both fields are filled, and no check is under way.
        case loginButtonEnabled(isEnabled: Bool)
        /// A check is under way.
        case busy(isBusy: Bool)
        case showSuccessMessage(message: String)
        /// The same for a user who does not exist and a password that is wrong.
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
            .showSuccessMessage(message: "Login Successful!"),
            .showFailureMessage(message: "The name or the password is wrong."),
        ]
    }
}
