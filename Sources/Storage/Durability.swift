/// What a commit survives.
package enum Durability: String, Sendable {
    /// The end of the program, and a power cut.
    case full
    /// The end of the program. A power cut costs at most the last second.
    case normal
    /// Nothing: there is no store.
    case none
}
