import Glibc

/// Limits of the process. Where systemd does not let the daemon set them, its unit has.
enum ProcessLimits {
    /// What views type must not come to lie on a disk.
    static func forbidCoreDumps() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(.init(RLIMIT_CORE.rawValue), &none)
    }

    /// A shell mostly gives a thousand descriptors and allows many more. The daemon takes what its
    /// connections need and some for itself, as far as it is allowed to.
    static func allowDescriptors(forConnections connections: Int) {
        var limit = rlimit()
        guard getrlimit(.init(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        let needed = min(rlim_t(connections) + 64, limit.rlim_max)
        guard limit.rlim_cur < needed else { return }
        limit.rlim_cur = needed
        setrlimit(.init(RLIMIT_NOFILE.rawValue), &limit)
    }
}
