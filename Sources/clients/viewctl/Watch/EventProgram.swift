import BusdClient
import BusdEventLoop
import BusdFiles
import BusdProtocol
import CBusdSystem
import Glibc

/// The program of `watch --exec`. It runs once for each event, and the next event waits until it
/// has ended. No shell reads its name.
///
/// Its environment has the address in `EVENT_FROM`, the name of the event in `EVENT_NAME`, `seq` in
/// `EVENT_SEQ`, and the fields of the payload, such as `EVENT_text`, up to 100 kB. Its input is the
/// whole line.
struct EventProgram {
    private let path: String

    init(_ path: String) { self.path = path }

    /// Why the program cannot be run; nil if it can.
    var problem: String? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        let paths =
            path.utf8.contains(UInt8(ascii: "/"))
            ? [path] : folders.split(separator: ":").map { "\($0)/\(path)" }
        var code = ENOENT
        for path in paths {
            var status = stat()
            if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                code = EISDIR
            } else if access(path, X_OK) == 0 {
                return nil
            } else if errno != ENOENT {
                code = errno
            }
        }
        return "\(path): \(String(cString: strerror(code)))"
    }

    /// - Parameter line: the whole object that was received.
    /// - Returns: why the event was not handled; nil if the program has ended with 0.
    func run(_ event: BusEvent, _ line: JSONValue) -> String? {
        do throws(SystemError) {
            let process = try start(event, Array(line.json) + [UInt8(ascii: "\n")])
            return Self.problem(try wait(for: process)).map { "\(path) \($0)" }
        } catch {
            return "\(path): \(error.reason)"
        }
    }

    /// Starts the program, and writes its whole input.
    private func start(_ event: BusEvent, _ input: [UInt8]) throws(SystemError) -> pid_t {
        var ends: [Int32] = [-1, -1]
        try check("pipe") { pipe(&ends) }
        // The program must see the end of its input.
        for end in ends { try check("fcntl") { fcntl(end, F_SETFD, FD_CLOEXEC) } }
        let own = Descriptor(file: ends[1])
        let process = try spawn(with: Descriptor(file: ends[0]), Self.environment(of: event))
        // The program may end before it has read all.
        try? own.write(all: input[...])
        return process
    }

    private func spawn(
        with input: Descriptor, _ environment: [String]
    ) throws(SystemError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.number, STDIN_FILENO)
        // viewctl ignores these two for itself.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // It may hold back others.
        var held = sigset_t()
        sigemptyset(&held)
        posix_spawnattr_setsigmask(&attributes, &held)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
        var process: pid_t = 0
        let code = withStrings([path]) { words in
            withStrings(environment) { variables in
                posix_spawnp(&process, path, &actions, &attributes, words, variables)
            }
        }
        guard code == 0 else { throw SystemError(code: code, function: "posix_spawnp") }
        return process
    }

    private func wait(for process: pid_t) throws(SystemError) -> Int32 {
        var status: Int32 = 0
        try check("waitpid") { waitpid(process, &status, 0) }
        return status
    }

    private static func problem(_ status: Int32) -> String? {
        let signal = status & 0x7F
        if signal != 0 { return "was ended by signal \(signal)" }
        let code = (status >> 8) & 0xFF
        return code == 0 ? nil : "ended with status \(code)"
    }

    /// The kernel takes no larger variable. What does not fit is in the input alone.
    private static let mostBytes = 100_000

    static func environment(of event: BusEvent) -> [String] {
        var own = ["EVENT_FROM=\(event.from)", "EVENT_SEQ=\(event.seq)"]
        if let (name, payload) = event.event.onlyMember {
            own.append("EVENT_NAME=\(name.text ?? "")")
            var left = mostBytes
            for (key, value) in payload.members {
                let text = value.text ?? String(decoding: value.json, as: UTF8.self)
                left -= text.utf8.count
                if left < 0 { break }
                // A variable ends at a zero byte.
                own.append("EVENT_\(key.text ?? "")=\(text)".replacing("\0", with: "\u{FFFD}"))
            }
        }
        return inherited.filter { !$0.utf8.starts(with: "EVENT_".utf8) } + own
    }

    private static var inherited: [String] {
        var variables: [String] = []
        guard var place = busd_environment() else { return [] }
        while let variable = place.pointee {
            variables.append(String(cString: variable))
            place += 1
        }
        return variables
    }
}

private func withStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
}
