import BusdEventLoop
import BusdProtocol
import Glibc

/// The users and groups that a policy can name.
struct Accounts: Sendable {
    enum Kind: String {
        case user, group
    }

    /// Why a name has no id.
    struct Problem: Error, Equatable {
        let message: String
        /// The names cannot be looked up now.
        var isTemporary = false
        /// There is no user or group with this name.
        var isMissing = false
    }

    /// The kernel shows this id for each user and each group that has none in the daemon's user
    /// namespace.
    private static let foreign = 65_534
    private static let highest = 4_294_967_294

    /// The id of a name; `nil`: there is no such user or group.
    private let find: @Sendable (Kind, String) throws(SystemError) -> Int?
    /// The ids of the groups of the user with this id.
    let groups: @Sendable (Int) -> [Int]

    init(
        find: @escaping @Sendable (Kind, String) throws(SystemError) -> Int?,
        groups: @escaping @Sendable (Int) -> [Int]
    ) {
        (self.find, self.groups) = (find, groups)
    }

    /// The id of a user or group. A name of digits alone is an id.
    func id(of kind: Kind, _ name: String) throws(Problem) -> Int {
        let isNumber = !name.isEmpty && name.utf8.allSatisfy { 48...57 ~= $0 }
        guard isNumber else { return try found(kind, name) }
        guard let id = Int(name), id <= Self.highest else {  // fits: `nil` if it does not
            throw Problem(message: "an id is at most \(Self.highest)")
        }
        return id
    }

    /// The id of a user or group that a line of a policy can name.
    func nameableID(of kind: Kind, _ name: String) throws(Problem) -> Int {
        let id = try id(of: kind, name)
        guard id != Self.foreign else {
            throw Problem(
                message: "the id \(id) stands for every \(kind) that has no id here: no line can "
                    + "name it")
        }
        return id
    }

    private func found(_ kind: Kind, _ name: String) throws(Problem) -> Int {
        // Such as a byte-order mark before the name, or a comma behind it. The line may be meant to
        // hide something, so it is not taken for one about a removed user.
        guard !name.isEmpty, name.printable.isExactly(name),
            !name.utf8.contains(where: "*:/,".utf8.contains)
        else { throw Problem(message: "no \(kind) can have the name '\(name)'") }
        do throws(SystemError) {
            if let id = try find(kind, name) { return id }
        } catch {
            throw Problem(
                message: "cannot look up the \(kind) '\(name)' now: \(error.reason)",
                isTemporary: true)
        }
        throw Problem(message: "there is no \(kind) '\(name)'", isMissing: true)
    }

    // MARK: The machine

    /// Those of the machine: passwd(5), group(5), and other sources of nsswitch.conf(5).
    static let ofMachine = Accounts(
        find: { kind, name throws(SystemError) in try machine(kind, name) },
        groups: { groupsOfMachine($0) })

    private static func machine(_ kind: Kind, _ name: String) throws(SystemError) -> Int? {
        errno = 0
        let id =
            switch kind {
            case .user: getpwnam(name).map { Int(clamping: $0.pointee.pw_uid) }
            case .group: getgrnam(name).map { Int(clamping: $0.pointee.gr_gid) }
            }
        // These stand for a name that does not exist, too.
        guard id != nil || [0, ENOENT, ESRCH, EBADF, EPERM].contains(errno) else {
            throw SystemError(code: errno, function: "getpwnam")
        }
        return id
    }

    private static func groupsOfMachine(_ user: Int) -> [Int] {
        guard let entry = uid_t(exactly: user).flatMap({ getpwuid($0) })?.pointee else { return [] }
        let name = String(cString: entry.pw_name)
        var (groups, count) = ([gid_t](repeating: 0, count: 64), Int32(64))
        while getgrouplist(name, entry.pw_gid, &groups, &count) < 0, count > groups.count {
            groups = Array(repeating: 0, count: Int(widening: count))
        }
        return groups.prefix(Int(widening: max(0, count))).map { Int(clamping: $0) }
    }
}
