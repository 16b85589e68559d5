import BusdProtocol
import Glibc

/// Users and groups by their names.
struct Accounts: Sendable {
    /// The kernel shows this id for each user and each group that has none in the daemon's user
    /// namespace.
    static let foreign = 65_534
    /// The highest id.
    static let highest = 4_294_967_294

    /// The id of a user; `nil`: there is no such user.
    let user: @Sendable (String) -> Int?
    /// The id of a group; `nil`: there is no such group.
    let group: @Sendable (String) -> Int?
    /// The ids of the groups of a user.
    let groups: @Sendable (String) -> [Int]

    /// Those of the machine: passwd(5), group(5), and other sources of nsswitch.conf(5).
    static let ofMachine = Accounts(
        user: { getpwnam($0).map { Int(clamping: $0.pointee.pw_uid) } },
        group: { getgrnam($0).map { Int(clamping: $0.pointee.gr_gid) } },
        groups: { groups(of: $0) })

    private static func groups(of user: String) -> [Int] {
        guard let first = getpwnam(user)?.pointee.pw_gid else { return [] }
        var (groups, count) = ([gid_t](repeating: 0, count: 64), Int32(64))
        while getgrouplist(user, first, &groups, &count) < 0, count > groups.count {
            groups = Array(repeating: 0, count: Int(widening: count))
        }
        return groups.prefix(Int(widening: max(0, count))).map { Int(clamping: $0) }
    }
}
