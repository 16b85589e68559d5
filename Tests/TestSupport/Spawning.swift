package import BusdEventLoop
package import Glibc

/// Starts a program, which is found in PATH.
///
/// - Parameters:
///   - words: the program, and its arguments.
///   - descriptors: the descriptors that it gets as 0, 1, 2, …
///   - variables: its environment, each `NAME=value`; nil stands for the environment of the tests.
package func spawn(
    _ words: [String], descriptors: [Descriptor], variables: [String]? = nil
) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, descriptor.number, Int32(number))
    }

    // A thread of the tests blocks signals, and a child would inherit this.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var pid: pid_t = 0
    let program = words.first ?? ""
    let code = withCStrings(words) { arguments in
        guard let variables else {
            return posix_spawnp(&pid, program, &actions, &attributes, arguments, environ)
        }
        return withCStrings(variables) {
            posix_spawnp(&pid, program, &actions, &attributes, arguments, $0)
        }
    }
    if code != 0 { throw SystemError(code: code, function: "posix_spawnp \(program)") }
    return pid
}

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
