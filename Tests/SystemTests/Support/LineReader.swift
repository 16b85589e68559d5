import BusdEventLoop
import Glibc

/// Reads lines from a pipe or a socket, and throws if none arrives in time.
final class LineReader {
    struct TimedOut: Error, CustomStringConvertible {
        let awaited: String
        let received: String
        var description: String { "waited for \(awaited) in vain; so far came: \(received)" }
    }

    /// In milliseconds. A sanitizer on a busy machine is twenty times slower.
    private static let longestWait: Int32 = 120_000
    private let descriptor: Descriptor
    private var bytes: [UInt8] = []
    private var isAtEnd = false

    init(_ descriptor: Descriptor) { self.descriptor = descriptor }

    /// The next line without its LF; `nil` at the end.
    func line() throws -> String? {
        while true {
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                defer { bytes.removeFirst(end + 1) }
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
            if isAtEnd { return nil }
            try more("a line")
        }
    }

    func lines(_ count: Int) throws -> [String] {
        try (0..<count).compactMap { _ in try line() }
    }

    /// Everything until the end.
    func rest() throws -> String {
        while !isAtEnd { try more("the end") }
        defer { bytes = [] }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func more(_ awaited: String) throws {
        guard Wait.forReadable(descriptor.number, milliseconds: Self.longestWait) else {
            throw TimedOut(awaited: awaited, received: String(decoding: bytes, as: UTF8.self))
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        switch buffer.withUnsafeMutableBytes({ descriptor.read(into: $0) }) {
        case .bytes(let count): bytes += buffer[..<count]
        case .wouldBlock: break
        case .ended: isAtEnd = true
        case .failed(let error):
            // The peer has closed its end before it read all bytes.
            if error.code != ECONNRESET { throw error }
            isAtEnd = true
        }
    }
}
