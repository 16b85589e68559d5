/// What a commit outlives.
package enum Durability: String, Sendable {
    /// The end of the program, and a power cut.
    case full
    /// The end of the program; a power cut takes at most the last second.
    case normal
    /// Nothing: nothing is kept.
    case none
}
