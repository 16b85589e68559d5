import CSystem
import Glibc
import Testing

@testable import EventLoop

extension Loop {
    /// Turns until `condition` holds, and says in how many turns. Nil after five seconds.
    func turns(until condition: () -> Bool) -> Int? {
        let deadline = LoopTimer(loop: self) {}
        deadline.arm(afterMicroseconds: 5_000_000)
        var turns = 0
        while !condition() {
            if !deadline.isArmed { return nil }
            turn(block: true)
            turns += 1
        }
        return turns
    }

    func turn(until condition: () -> Bool) -> Bool { turns(until: condition) != nil }

    /// Turns for so long, and says how often.
    func turns(forMicroseconds span: Int64) -> Int? {
        let end = LoopTimer(loop: self) {}
        end.arm(afterMicroseconds: span)
        return turns { !end.isArmed }
    }

    /// Turns a few times over all that is due now.
    func settle() { for _ in 0..<3 { turn(block: false) } }
}

/// Waits for what the kernel does late: a process that another test is about to start holds all our
/// descriptors for a moment, so that what was closed is not yet gone. False after five seconds.
func eventually(_ condition: () -> Bool) -> Bool {
    let deadline = time(nil) + 5
    while !condition() {
        if time(nil) > deadline { return false }
        sched_yield()
    }
    return true
}

/// A folder of its own, removed with all that is in it.
final class Folder {
    let path: String

    init() throws {
        var template = Array("/tmp/busd-test-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        path = String(cString: made)
    }

    deinit { _ = run("/bin/rm", "-rf", path) }

    func callAsFunction(_ name: String) -> String { path + "/" + name }

    var names: [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }
}

func run(_ words: String...) -> Int32 {
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    guard posix_spawn(&child, words[0], nil, nil, &arguments, environ) == 0 else { return -1 }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    return status
}

/// Two connected sockets, as a daemon and its client hold them.
func pair() throws -> (near: Descriptor, far: Descriptor) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    try check("socketpair") { socketpair(AF_UNIX, type, 0, &ends) }
    return (Descriptor(socket: ends[0]), Descriptor(socket: ends[1]))
}

extension Descriptor {
    func write(_ text: String) -> Transfer {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { write($0) }
    }

    /// Writes until the other side's buffer is full, and says how much that was.
    func fill() -> Int {
        let block = [UInt8](repeating: 120, count: 65_536)
        var total = 0
        while case .bytes(let count) = block.withUnsafeBytes({ write($0) }) { total += count }
        return total
    }

    func readText() -> (Transfer, String) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let transfer = buffer.withUnsafeMutableBytes { read(into: $0) }
        guard case .bytes(let count) = transfer else { return (transfer, "") }
        return (transfer, String(decoding: buffer[..<count], as: UTF8.self))
    }
}

extension Connecting {
    var descriptor: Descriptor? {
        if case .connected(let descriptor) = self { descriptor } else { nil }
    }

    var failure: SystemError? { if case .failed(let error) = self { error } else { nil } }
}

/// Sets the soft limit, or brings the hard one back. For a test that has a process of its own.
func limit(_ resource: __rlimit_resource, to value: rlim_t?) {
    let resource = __rlimit_resource_t(resource.rawValue)
    var limit = rlimit()
    getrlimit(resource, &limit)
    limit.rlim_cur = value ?? limit.rlim_max
    setrlimit(resource, &limit)
}

/// From now on the process can open about so many more descriptors: its runtime may close one.
func leaveDescriptors(_ count: Int) {
    let held = (0...count).map { _ in dup(2) }
    limit(RLIMIT_NOFILE, to: rlim_t(held.last ?? 0))
    for number in held { close(number) }
}

/// A test's process may be born with signals blocked.
func unblock(_ signal: Int32) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, signal)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
}

func mode(of path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
}
