/// Who may sign in: names, and what Argon2id has made of their passwords.
///
/// Who asks is told what is on disk. What has changed since is known to whoever changes more.
///
/// Names that are the same to a reader are the same name, whatever code points they are written in.
package final class StoredUsers {
    /// With all that has changed.
    private var hashes: [String: String]
    /// As on disk.
    private var kept: [String: String]
    /// As it will be on disk when each of the commits under way is, the oldest first.
    private var flying: [[String: String]] = []
    /// Since the last commit took off.
    private var touched: Set<String> = []
    /// Each name in the code points in which it came first: there is one row for it.
    private var spellings: Set<String>

    init(_ hashes: [String: String]) {
        self.hashes = hashes
        kept = hashes
        spellings = Set(hashes.keys)
    }

    package var names: [String] { kept.keys.sorted() }

    package func hash(of name: String) -> String? { kept[name] }

    /// Adds a user, or changes the hash of one who is there. Returns whether it is a new one.
    @discardableResult
    package func put(_ hash: String, for name: String) -> Bool {
        let name = spellings.insert(name).memberAfterInsert
        touched.insert(name)
        return hashes.updateValue(hash, forKey: name) == nil
    }

    /// False where there is no such user.
    @discardableResult
    package func remove(_ name: String) -> Bool {
        guard let place = hashes.index(forKey: name) else { return false }
        touched.insert(hashes.remove(at: place).key)
        return true
    }

    // MARK: Commits

    var hasChanges: Bool { !touched.isEmpty }

    func takeOff(with transaction: inout Transaction) {
        transaction.users = touched.map { name in
            hashes[name].map { .put(name, hash: $0) } ?? .remove(name)
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
