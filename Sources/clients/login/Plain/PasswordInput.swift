import BusdClient
import BusdOptions
import BusdScreens
import BusdTerminal
import Glibc

/// Reads a password: the first line of standard input. A terminal does not show it.
enum PasswordInput {
    enum Failure: Error, CustomStringConvertible {
        case unreadable(reason: String)
        case signalled(Int32)
        case empty
        case tooLong
        case notText

        var description: String {
            switch self {
            case .unreadable(let reason): "standard input: \(reason)"
            case .signalled: "no password was given"
            case .empty: "the password is empty"
            case .notText: "the password is not text"
            case .tooLong: "the password has more than \(SecretField.mostBytes) bytes"
            }
        }

        var outcome: Outcome {
            if case .signalled(let signal) = self { return .signalled(signal) }
            return Outcome(.badInput, description)
        }
    }

    static func readLine(into field: SecretField, _ loop: ClientLoop) throws(Failure) {
        if isatty(STDIN_FILENO) == 1 {
            try readTerminal(into: field, loop)
        } else {
            try readPipe(into: field)
        }
        if field.isEmpty { throw .empty }
        if !field.isText { throw .notText }
    }

    private static func readTerminal(into field: SecretField, _ loop: ClientLoop) throws(Failure) {
        var result = Result<Void, Failure>.success(())
        let signal: Int32?
        do {
            signal = try HiddenLine(loop).await("Password: ") {
                result = Result { () throws(Failure) in try readPipe(into: field) }
            }
        } catch {
            throw .unreadable(reason: error.description)
        }
        if let signal { throw .signalled(signal) }
        try result.get()
    }

    private static func readPipe(into field: SecretField) throws(Failure) {
        // Room for a return, a line feed, and one byte more than allowed.
        try withUnsafeTemporaryAllocation(byteCount: SecretField.mostBytes + 3, alignment: 1) {
            bytes throws(Failure) in
            defer { if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) } }
            let count = try read(into: bytes)
            var line = UnsafeRawBufferPointer(rebasing: bytes[..<count])
            if line.last == UInt8(ascii: "\r") {
                line = UnsafeRawBufferPointer(rebasing: line.dropLast())
            }
            if !field.fill(line) { throw .tooLong }
        }
    }

    /// Reads until the first line feed or until the buffer is full. Returns the number of bytes
    /// before the line feed.
    private static func read(into bytes: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        var count = 0
        while count < bytes.count {
            let more = Glibc.read(
                STDIN_FILENO, bytes.baseAddress.map { $0 + count }, bytes.count - count)
            if more < 0 {
                if errno == EINTR { continue }
                throw .unreadable(reason: String(cString: strerror(errno)))
            }
            let end = bytes[count..<count + more].firstIndex(of: UInt8(ascii: "\n"))
            count = end ?? count + more
            if end != nil || more == 0 { break }
        }
        return count
    }
}
