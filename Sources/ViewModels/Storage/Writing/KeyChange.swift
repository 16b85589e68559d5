import BusdProtocol

/// A key of a `send` that was accepted, and the events that it caused, if any.
package typealias RememberedKey = (key: String, answer: ClosedRange<Int>?)

/// What a commit does to the keys.
enum KeyChange: Sendable {
    case remember(RememberedKey, of: Address)
    /// Those of the address, and of all below it.
    case forget(Address)
}
