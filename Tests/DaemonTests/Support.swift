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

/// A pipe from which a test reads the lines of a log.
final class LogPipe {
    let output: Descriptor
    private let input: Descriptor

    init() throws {
        (input, output) = try openPipe()
    }

    /// The lines that have arrived since the last call.
    func lines() -> [String] { input.readLines() }

    func log(_ threshold: LogLevel = .debug) -> DaemonLog {
        DaemonLog(
            name: "testd", threshold: threshold, descriptor: output.number,
            environment: Environment { _ in nil }, now: { 0 })
    }
}

func connect(to path: String) throws -> Descriptor {
    guard case .connected(let socket) = connectUnix(path: path) else {
        throw StartError("nobody listens at \(path)")
    }
    return socket
}

/// Receives notifications in place of systemd.
final class FakeSystemd {
    private let socket: Descriptor

    init(at path: String) throws {
        socket = try unixSocket(SOCK_DGRAM, at: path)
        try check("fcntl") { fcntl(socket.number, F_SETFL, O_NONBLOCK) }
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
