import BusdEventLoop
import BusdOptions
import BusdProtocol
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import BusdDaemon

/// The settings of a command line, with this environment only.
func settings(
    _ words: String..., of daemon: DaemonName = .busd, environment: [String: String] = [:]
) throws(UsageError) -> Settings {
    try settings(words, of: daemon, environment: environment)
}

func settings(
    _ words: [String], of daemon: DaemonName = .busd, environment: [String: String]
) throws(UsageError) -> Settings {
    let options = DaemonOptions(of: daemon).all
    let program = Program(daemon.text, version: "1", "", options: options)
    guard case .run(let arguments) = try program.parse(words) else {
        preconditionFailure("the test asks for help")
    }
    return try Settings(arguments, of: daemon, Environment { environment[$0] })
}

extension Settings {
    /// Sockets and store in a folder.
    init(in folder: Folder, keepsState: Bool = false) throws {
        self = try settings(
            "--socket", folder("busd.sock"), "--state", keepsState ? folder("state") : ":memory:")
    }
}

/// A pipe from which a test reads the lines of a log. Neither end blocks.
final class LogPipe {
    let output: Descriptor
    private let input: Descriptor

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { try #require(fcntl(end, F_SETFL, O_NONBLOCK) == 0) }
        (input, output) = (Descriptor(file: ends[0]), Descriptor(file: ends[1]))
    }

    /// The lines that have arrived since the last call.
    func lines() -> [String] {
        input.readText().text.split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map { String($0) }
    }

    func log(_ threshold: LogLevel = .debug) -> DaemonLog {
        DaemonLog(
            name: "testd", threshold: threshold, descriptor: output.number,
            environment: Environment { _ in nil }, now: { 0 })
    }
}

extension Descriptor {
    /// Everything that can be read now, and whether the end is reached.
    func readText() -> (text: String, isAtEnd: Bool) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            switch buffer.withUnsafeMutableBytes({ read(into: $0) }) {
            case .bytes(let count): bytes += buffer[..<count]
            case .wouldBlock: return (String(decoding: bytes, as: UTF8.self), false)
            case .ended, .failed: return (String(decoding: bytes, as: UTF8.self), true)
            }
        }
    }

    @discardableResult func write(_ text: String) -> Transfer {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { write($0) }
    }

    /// Writes until nothing more fits. Returns the number of bytes written.
    func fill() -> Int {
        let block = [UInt8](repeating: UInt8(ascii: "#"), count: 1 << 16)
        var total = 0
        while case .bytes(let count) = block.withUnsafeBytes({ write($0) }) { total += count }
        return total
    }
}

func connect(to path: String) throws -> Descriptor {
    guard case .connected(let socket) = connectUnix(path: path) else {
        throw StartError("nobody listens at \(path)")
    }
    return socket
}

extension Loop {
    /// Turns until `condition` holds. False after two minutes.
    func turn(until condition: () -> Bool) -> Bool {
        let deadline = LoopTimer(loop: self) {}
        deadline.arm(afterMicroseconds: 120_000_000)
        while !condition() {
            if !deadline.isArmed { return false }
            turn(block: true)
        }
        return true
    }
}

/// Receives notifications in place of systemd.
final class FakeSystemd {
    private let socket: Descriptor

    init(at path: String) throws {
        socket = Descriptor(
            socket: Glibc.socket(
                AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue), 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(status == 0)
    }

    /// The next message, if there is one.
    func next() -> String? {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let transfer = buffer.withUnsafeMutableBytes { socket.read(into: $0) }
        guard case .bytes(let count) = transfer else { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}

/// A text that another thread sets.
final class SharedText: Sendable {
    private let value = Mutex("nothing")

    var text: String { value.withLock { $0 } }
    func set(_ text: String) { value.withLock { $0 = text } }
}
