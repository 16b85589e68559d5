import Glibc

/// The names of users, which are those of this machine. On another machine, users have no names
/// here.
package final class UserNames {
    private let isLocal: Bool
    /// Users that were looked up; nil: they have no name. A lookup may ask another machine.
    private var known: [Int: String?] = [:]

    /// - Parameter isLocal: the users are those of this machine.
    package init(isLocal: Bool) { self.isLocal = isLocal }

    /// The user's name, else its number.
    package func name(of uid: Int) -> String { find(uid) ?? "\(uid)" }

    /// Nil: the user has no name here.
    package func find(_ uid: Int) -> String? {
        if let name = known[uid] { return name }
        let name = lookUp(uid)
        known[uid] = .some(name)
        return name
    }

    private func lookUp(_ uid: Int) -> String? {
        guard isLocal, let id = uid_t(exactly: uid), let entry = getpwuid(id) else { return nil }
        return String(cString: entry.pointee.pw_name)
    }
}
