package import BusdEventLoop
import Glibc

/// Reads lines from a pipe or a socket, and throws if none arrives in time.
package final class LineReader {
    struct NeverCame: Error, CustomStringConvertible {
        let awaited: String
        let received: String
        var description: String { "waited for \(awaited) in vain; the last text: \(received)" }
    }

    /// In milliseconds. A sanitizer on a busy machine is twenty times slower.
    private static let longestWait: Int32 = 120_000
    private let descriptor: Descriptor
    private var bytes: [UInt8] = []
    private var isAtEnd = false

    package init(_ descriptor: Descriptor) { self.descriptor = descriptor }

    /// The next line without its LF; `nil` at the end.
    package func line() throws -> String? {
        if let line = try line(within: Self.longestWait) { return line }
        if isAtEnd { return nil }
        throw timedOut("a line")
    }

    /// The next line without its LF; `nil` at the end, or if none arrives in these milliseconds.
    package func line(within milliseconds: Int32) throws -> String? {
        while true {
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                defer { bytes.removeFirst(end + 1) }
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
            guard !isAtEnd, try hasRead(within: milliseconds) else { return nil }
        }
    }

    /// Reads until a line has the text, and returns this line. Throws at the end.
    @discardableResult
    package func line(with text: String) throws -> String {
        var last = ""
        while let line = try line() {
            if line.contains(text) { return line }
            last = line
        }
        throw NeverCame(awaited: text, received: last)
    }

    package func lines(_ count: Int) throws -> [String] {
        try (0..<count).compactMap { _ in try line() }
    }

    /// Everything until the end.
    package func rest() throws -> String {
        while !isAtEnd {
            guard try hasRead(within: Self.longestWait) else { throw timedOut("the end") }
        }
        defer { bytes = [] }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func timedOut(_ awaited: String) -> NeverCame {
        NeverCame(awaited: awaited, received: String(decoding: bytes, as: UTF8.self))
    }

    private func hasRead(within milliseconds: Int32) throws -> Bool {
        guard Wait.forReadable(descriptor.number, milliseconds: milliseconds) else { return false }
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
        return true
    }
}
