import Glibc

/// Starts a program.
///
/// - Parameters:
///   - streams: become its descriptors 0 to 2; `nil`: it has no output.
///   - variables: its environment; `nil`: the environment of this program.
public func spawn(
    _ words: [String], _ streams: [Int32]? = nil, variables: [String]? = nil
) -> pid_t {
    var process: pid_t = 0
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    for (number, stream) in (streams ?? []).enumerated() {
        posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
    }
    for stream in [Int32(1), 2] where streams == nil {
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
    }
    let arguments = words.map { strdup($0) } + [nil]
    let environment = variables.map { $0.map { strdup($0) } + [nil] }
    let code =
        environment.map { posix_spawnp(&process, words[0], &actions, nil, arguments, $0) }
        ?? posix_spawnp(&process, words[0], &actions, nil, arguments, environ)
    posix_spawn_file_actions_destroy(&actions)
    for text in arguments + (environment ?? []) { free(text) }
    if code != 0 { stop("\(words[0]): \(String(cString: strerror(code)))") }
    return process
}

/// Connects a socket. Returns false if nothing accepts connections at the path.
public func connect(_ socket: Int32, to path: String) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            Glibc.connect(socket, $0, size) == 0
        }
    }
}
