import Glibc
import Terminal

/// A password from standard input: its first line, or what is typed unseen where it is a terminal.
enum PasswordInput {
    enum Failure: Error, CustomStringConvertible {
        case unreadable(code: Int32)
        case empty
        case tooLong
        case notText

        var description: String {
            switch self {
            case .unreadable(let code): "standard input: \(String(cString: strerror(code)))"
            case .empty: "the password is empty"
            case .notText: "the password is not text"
            case .tooLong: "the password has more than \(SecretField.mostBytes) bytes"
            }
        }
    }

    static func readLine(into field: SecretField) throws(Failure) {
        if isatty(STDIN_FILENO) == 1 {
            try readTerminal(into: field)
        } else {
            try readPipe(into: field)
        }
        if field.isEmpty { throw .empty }
        if !field.isText { throw .notText }
    }

    private static func readTerminal(into field: SecretField) throws(Failure) {
        guard let line = getpass("Password: ") else { throw .unreadable(code: errno) }
        let bytes = UnsafeMutableRawBufferPointer(start: line, count: strlen(line))
        defer { explicit_bzero(line, bytes.count) }
        if !field.fill(UnsafeRawBufferPointer(bytes)) { throw .tooLong }
    }

    private static func readPipe(into field: SecretField) throws(Failure) {
        // Room for the end of the line, a return before it, and a byte that would be too many.
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

    /// The bytes before the first line feed, as many of them as there is room for.
    private static func read(into bytes: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        var count = 0
        while count < bytes.count {
            let more = Glibc.read(
                STDIN_FILENO, bytes.baseAddress.map { $0 + count }, bytes.count - count)
            if more < 0 {
                if errno == EINTR { continue }
                throw .unreadable(code: errno)
            }
            let end = bytes[count..<count + more].firstIndex(of: UInt8(ascii: "\n"))
            count = end ?? count + more
            if end != nil || more == 0 { break }
        }
        return count
    }
}
