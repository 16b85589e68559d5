/// `login/NAME`: signing in.
public enum Login: ViewModelKind {
    public static let name = "login"
    /// In bytes.
    public static let limits: KeyValuePairs = [
        "username": TypedUsername.mostBytes, "password": Secret.mostBytes,
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
            .usernameChanged(username: TypedUsername(example: "ann")),
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

/// The text in the field for the user name: any text of at most `mostBytes` bytes.
public struct TypedUsername: Equatable, Sendable {
    /// The longest user name, in bytes of UTF-8.
    public static let mostBytes = 200

    /// The text as it was typed.
    public let text: String

    /// `nil` if the text has more than `mostBytes` bytes of UTF-8.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.mostBytes else { return nil }
        self.text = text
    }

    init(example: String) { text = example }

    /// Compares bytes.
    public static func == (a: Self, b: Self) -> Bool { ExactText(a.text) == ExactText(b.text) }
}

extension TypedUsername: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.value("a user name must have at most \(Self.mostBytes) bytes") {
            Self($0)
        }
    }

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
