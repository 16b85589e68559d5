import BusdProtocol
import Glibc

/// The names of users, which are those of this machine. Through ssh, a user is shown by its number.
final class UserNames {
    private let isLocal: Bool
    /// Names that were looked up. A lookup may ask another machine.
    private var known: [Int: String] = [:]

    init(_ settings: Settings) { isLocal = settings.host == nil }

    func name(of uid: Int) -> String {
        if let name = known[uid] { return name }
        let name = lookUp(uid) ?? "\(uid)"
        known[uid] = name
        return name
    }

    /// Writes the members that say whose connection it is.
    func write(_ uid: Int, _ connection: Int, _ client: String?, to out: inout JSONWriter) {
        out.member("user", name(of: uid))
        out.member("uid", uid)
        out.member("connection", connection)
        if let client { out.member("name", client) }
    }

    private func lookUp(_ uid: Int) -> String? {
        guard isLocal, let id = uid_t(exactly: uid), let entry = getpwuid(id) else { return nil }
        return String(cString: entry.pointee.pw_name)
    }
}
