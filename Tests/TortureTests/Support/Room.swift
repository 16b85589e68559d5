import Glibc
import Testing

/// A folder of its own for a daemon, removed with all that is in it.
final class Room {
    let path: String

    init() throws {
        var template = Array("/tmp/busd-torture-XXXXXX".utf8CString)
        path = String(cString: try #require(mkdtemp(&template)))
    }

    deinit { _ = try? Spawned.run(["rm", "-rf", path]) }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    var socket: String { self("busd.sock") }
    var state: String { self("state") }
}

enum Built {
    /// The daemon that was built beside these tests, or the one that `BUSD_TORTURE_DAEMON` names.
    static func daemon() throws -> String {
        if let given = getenv("BUSD_TORTURE_DAEMON") { return String(cString: given) }
        var buffer = [CChar](repeating: 0, count: 4_096)
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let tests = String(decoding: buffer[..<max(0, length)].map(UInt8.init), as: UTF8.self)
        let path = "\(tests[..<(tests.lastIndex(of: "/") ?? tests.startIndex)])/busd"
        try #require(access(path, X_OK) == 0, "there is no \(path): build the whole package")
        return path
    }
}

/// A file as a whole.
enum Whole {
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
