import Glibc

/// Limits of the process. Where systemd does not let the daemon set them, its unit has.
enum ProcessLimits {
    /// What views type must not come to lie on a disk.
    static func forbidCoreDumps() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(.init(RLIMIT_CORE.rawValue), &none)  // fits: it is a constant
    }

    /// Descriptors of the daemon itself: the store, the loop, the sockets.
    private static let ownDescriptors = 64
    /// A daemon with very few descriptors tries to serve so many connections all the same.
    private static let fewestConnections = 16

    /// A shell mostly gives a thousand descriptors and allows many more. The daemon takes what its
    /// connections need and some for itself, as far as it is allowed to.
    ///
    /// Returns for how many of the connections there are descriptors.
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
