package import BusdEventLoop
package import Glibc

/// Starts a program, which is found in PATH. Tests start programs only in this way, because it does
/// not pass on the sockets and folders of the machine.
///
/// - Parameters:
///   - words: the program, and its arguments.
///   - descriptors: the descriptors that it gets as 0, 1, 2, …
///   - environment: its variables, beside or instead of `environmentOfTests`.
package func spawn(
    _ words: [String], descriptors: [Descriptor], environment: [String: String] = [:]
) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, descriptor.number, Int32(number))
    }

    // A child would inherit that a thread of the tests blocks signals, and that a shell which runs
    // the tests in the background ignores some.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var usual = sigset_t()
    sigemptyset(&usual)
    for signal in [SIGHUP, SIGINT, SIGQUIT] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var pid: pid_t = 0
    let program = words.first ?? ""
    let variables = environmentOfTests.merging(environment) { $1 }.map { "\($0)=\($1)" }
    let code = withCStrings(words) { arguments in
        withCStrings(variables) {
            posix_spawnp(&pid, program, &actions, &attributes, arguments, $0)
        }
    }
    if code != 0 { throw SystemError(code: code, function: "posix_spawnp \(program)") }
    return pid
}

/// No daemon can be found through these variables, and nothing can be kept: a test names its own
/// sockets and folders. With an empty `BUSD_SOCKET`, a program looks for the daemon of the user and
/// then of the machine; see `MachineFixture`.
private let environmentOfTests: [String: String] = {
    let nowhere = "/nonexistent"
    var variables = [
        "HOME": nowhere, "XDG_RUNTIME_DIR": nowhere, "BUSD_SOCKET": "\(nowhere)/busd.sock",
        "LC_ALL": "C.UTF-8",
    ]
    for name in ["PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"] {
        if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return variables
}()

/// Waits for the end of a child. Returns its exit status, or 128 plus the signal's number if a
/// signal ended it.
package func end(of child: pid_t) -> Int32 {
    var status: Int32 = 0
    waitpid(child, &status, 0)
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
}

/// Two connected sockets, as a daemon and its client hold them.
///
/// A child gets a socket in place of a pipe: `pipe` cannot set close-on-exec when it makes the
/// pipe, and a process that another test starts at that moment would hold it open.
package func socketPair(
    waits: Bool = false
) throws(SystemError) -> (near: Descriptor, far: Descriptor) {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
    let flags = waits ? kind : kind | SOCK_NONBLOCK.rawValue
    try check("socketpair") { socketpair(AF_UNIX, Int32(flags), 0, &ends) }
    return (Descriptor(socket: ends[0]), Descriptor(socket: ends[1]))
}

private func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
}
