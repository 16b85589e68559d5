import Glibc

/// Limits of the process. Where systemd does not let the daemon set them, its unit has.
enum ProcessLimits {
    /// What views type must not come to lie on a disk.
    static func forbidCoreDumps() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(.init(RLIMIT_CORE.rawValue), &none)  // fits: it is a constant
    }

    /// A shell mostly gives a thousand descriptors and allows many more. The daemon takes what its
    /// connections need and some for itself, as far as it is allowed to.
    static func allowDescriptors(forConnections connections: Int) {
        var limit = rlimit()
        let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)  // fits: it is a constant
        guard getrlimit(descriptors, &limit) == 0 else { return }
        let needed = min(rlim_t(connections) + 64, limit.rlim_max)  // fits: it is not below 0
        guard limit.rlim_cur < needed else { return }
        limit.rlim_cur = needed
        setrlimit(descriptors, &limit)
    }
}
