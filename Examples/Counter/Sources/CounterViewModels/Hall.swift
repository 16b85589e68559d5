import BusdProtocol

/// The people in a hall. Its door is closed while the hall is full.
public struct Hall: Thing {
    /// A hall has a name. It exists from its first action on.
    public typealias ID = ExactText

    public static let kind = "hall"
    public static let initial: Hall? = Hall()

    public private(set) var people = 0
    public private(set) var places = 100
    public var isOpen: Bool { people < places }

    /// The log has these names. They are permanent, and so is the effect of each action.
    public enum Action: Codable, Sendable {
        case came
        case left
        case resized(places: Int)
    }

    public init() {}

    public mutating func apply(_ action: Action, at time: Instant) -> Bool {
        switch action {
        case .came:
            guard isOpen else { return false }
            people += 1
        case .left:
            guard people > 0 else { return false }
            people -= 1
        case .resized(let places):
            guard places >= 0, places != self.places else { return false }
            self.places = places
        }
        return true
    }
}
