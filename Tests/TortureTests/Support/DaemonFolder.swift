import Glibc
import TestSupport
import Testing

/// A folder for one daemon, which is removed with its content.
final class DaemonFolder {
    private let folder: Folder
    var path: String { folder.path }

    init() throws { folder = try Folder() }

    func callAsFunction(_ name: String) -> String { folder(name) }

    var socket: String { self("busd.sock") }
    var state: String { self("state") }
    static let databases = ["log.sqlite", "state.sqlite"]
}

enum Programs {
    /// The daemon that was built with these tests, or the program that `BUSD_TORTURE_DAEMON` names.
    static func daemon() throws -> String {
        if let given = getenv("BUSD_TORTURE_DAEMON") { return String(cString: given) }
        return try Products.path("busd")
    }
}

/// Reads and writes a file as a whole.
enum WholeFile {
    static func read(_ path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw GaveUp(description: "\(path) can't be opened: \(errno)") }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = Glibc.read(file, &buffer, buffer.count), count > 0 {
            bytes += buffer[..<count]
        }
        return bytes
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(file) }
        guard file >= 0, Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw GaveUp(description: "\(path) can't be written: \(errno)")
        }
    }
}
