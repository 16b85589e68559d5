import Glibc

/// Limits of the process. If the daemon may not set them under systemd, its unit sets them.
enum ProcessLimits {
    /// A core dump would write typed text to a disk, such as passwords.
    static func forbidCoreDumps() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(.init(RLIMIT_CORE.rawValue), &none)  // fits: it is a constant
    }

    /// Descriptors of the daemon itself: the store, the loop, the sockets.
    private static let ownDescriptors = 64
    /// With very few descriptors, the daemon still tries to serve this many connections.
    private static let fewestConnections = 16

    /// Raises the limit of descriptors for the connections and the daemon, as far as allowed. A
    /// shell usually sets a limit of a thousand, and allows many more.
    ///
    /// Returns how many of the connections can have a descriptor.
    static func allowDescriptors(forConnections connections: Int) -> Int {
        var limit = rlimit()
        let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)  // fits: it is a constant
        guard getrlimit(descriptors, &limit) == 0 else { return connections }
        let wanted = rlim_t(connections + ownDescriptors)  // fits: an option is at most a million
        let needed = min(wanted, limit.rlim_max)
        var all = limit.rlim_cur
        if all < needed {
            limit.rlim_cur = needed
            if setrlimit(descriptors, &limit) == 0 { all = needed }
        }
        return min(connections, max(fewestConnections, Int(clamping: all) - ownDescriptors))
    }
}
