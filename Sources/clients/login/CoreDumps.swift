import Glibc

/// What is typed here must not come to lie in a file. From now on the process leaves no core dump,
/// and other processes of the user can't read its memory.
func forbidCoreDumps() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
}
