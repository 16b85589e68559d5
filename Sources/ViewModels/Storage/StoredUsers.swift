import BusdProtocol

/// Users that may sign in: names, and the Argon2id hashes of their passwords.
///
/// Reads show the users on disk; changes apply to the newest, which may not be on disk yet.
///
/// Two names are the same if their bytes are: a name that looks the same but has other code points
/// is another user.
package final class StoredUsers {
    /// With all changes.
    private var hashes: [ExactText: String]
    /// As on disk.
    private var kept: [ExactText: String]
    /// As they will be on disk after each of the pending commits, the oldest first.
    private var flying: [[ExactText: String]] = []
    /// Changed since the last commit began.
    private var touched: Set<ExactText> = []

    init(_ hashes: [ExactText: String]) {
        self.hashes = hashes
        kept = hashes
    }

    package var names: [String] { kept.keys.sorted().map(\.text) }

    package func hash(of name: String) -> String? { kept[ExactText(name)] }

    /// Adds a user, or changes the hash of one. Returns whether the user is new.
    @discardableResult
    package func put(_ hash: String, for name: String) -> Bool {
        let name = ExactText(name)
        touched.insert(name)
        return hashes.updateValue(hash, forKey: name) == nil
    }

    /// False if there is no such user.
    @discardableResult
    package func remove(_ name: String) -> Bool {
        let name = ExactText(name)
        guard hashes.removeValue(forKey: name) != nil else { return false }
        touched.insert(name)
        return true
    }

    // MARK: Commits

    var hasChanges: Bool { !touched.isEmpty }

    func takeOff(with transaction: inout Transaction) {
        transaction.users = touched.map { name in
            hashes[name].map { .put(name.text, hash: $0) } ?? .remove(name.text)
        }
        flying.append(hashes)
        touched = []
    }

    func land() {
        if !flying.isEmpty { kept = flying.removeFirst() }
    }

    func rollBack() {
        hashes = kept
        flying = []
        touched = []
    }
}
