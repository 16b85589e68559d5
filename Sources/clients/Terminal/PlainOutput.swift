import BusdProtocol
import Glibc

/// Output of lines to a terminal, a pipe or a file, without a screen.
public struct PlainOutput: Sendable {
    public static let standard = PlainOutput(descriptor: STDOUT_FILENO)
    public static let errors = PlainOutput(descriptor: STDERR_FILENO)

    private let descriptor: Int32
    public let isTerminal: Bool
    /// Whether `painted` adds styles.
    public let hasColor: Bool

    public init(descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        hasColor = isTerminal && ColorChoice.isWanted && Self.isCapable
    }

    private static var isCapable: Bool {
        guard let type = getenv("TERM") else { return false }
        return !["", "dumb"].contains(String(cString: type))
    }

    /// Writes the whole text unchanged, and waits for a slow reader. False if writing failed, for
    /// example because there is no reader any more.
    @discardableResult
    public func write(_ text: String) -> Bool { write(bytes: Array(text.utf8)) }

    /// Writes the text and a line feed. Characters that a terminal would obey or hide are spelled
    /// out.
    @discardableResult
    public func line(_ text: String) -> Bool { write(text.printable + "\n") }

    /// The text, styled if the descriptor has colours. It is safe for a terminal.
    public func painted(_ text: String, _ style: Style) -> String {
        let codes = style.codes
        guard hasColor, !codes.isEmpty else { return text.printable }
        return "\u{1B}[" + codes.joined(separator: ";") + "m" + text.printable + "\u{1B}[m"
    }

    private func write(bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&entry, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}

extension Style {
    /// The codes of "select graphic rendition" (ECMA-48).
    fileprivate var codes: [String] {
        var codes: [String] = []
        if isBold { codes.append("1") }
        if isDim { codes.append("2") }
        if isUnderlined { codes.append("4") }
        if isReverse { codes.append("7") }
        switch color {
        case .plain: break
        case .primary: codes.append("36")
        case .secondary, .notice: codes.append("33")
        case .good: codes.append("32")
        case .bad: codes.append("31")
        }
        return codes
    }
}
