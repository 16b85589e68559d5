import BusdProtocol
import BusdViewModels

/// All that a store has to have in memory, and what was not as it should be.
struct Loaded: Sendable {
    var games: [(GameID, PackedGame)] = []
    var nextGame = GameID.first
    var books: [(BookID, PackedBook)] = []
    var nextBook = BookID.first
    /// Oldest first. They are read only where all of a store is.
    var keys: [KeyChange] = []
    /// Names and hashes.
    var users: [ExactText: String] = [:]
    /// What the file beside the database says.
    var reserved = ReservedIDs()
    /// Why those that should be reserved are not.
    var reservingFailure: StoreError?
    var findings: [String] = []

    /// A user of whom the row is damaged may have had another name than the one that can be read.
    mutating func noteUsers(broken titles: [String], isWhole: Bool) {
        for title in titles { findings.append("a user\(title) is left out: a broken seal") }
        guard !isWhole || !titles.isEmpty else { return }
        let names = users.keys.sorted().map(\.text)
        let left = names.isEmpty ? "none is left" : "left are \(names.joined(separator: ", "))"
        findings.append("users may be lost; \(left)")
    }
}
