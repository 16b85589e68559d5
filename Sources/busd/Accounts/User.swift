public import BusdProtocol

/// A user with the right to sign in. The name is the id. A user exists from its first password on.
public struct User: Thing {
    public typealias ID = ExactText

    public static let kind = "user"
    public static let keepsHistory = false
    public static let initial: User? = User()

    /// The Argon2id hash of the password, with its salt and costs.
    public private(set) var hash = ""

    public mutating func apply(_ action: UserAction, at time: Instant) -> Bool {
        switch action {
        case .setHash(let hash):
            guard !hash.isExactly(self.hash) else { return false }
            self.hash = hash
            return true
        }
    }
}

/// The form in the log is permanent.
public enum UserAction: Codable, Sendable {
    /// Replaces the hash of the password: text of Argon2id.
    case setHash(String)

    private enum CodingKeys: CodingKey {
        case setHash
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self = .setHash(try container.decode(String.self, forKey: .setHash))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .setHash(let hash): try container.encode(hash, forKey: .setHash)
        }
    }
}

extension Library where T == User {
    /// `nil` if there is no such user.
    package func hash(of name: String) -> String? { self[ExactText(name)]?.hash }
}
