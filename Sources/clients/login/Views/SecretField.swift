import BusdProtocol
import BusdTerminal
import Glibc

// A String cannot be wiped, and each change of it may leave a copy. So the text stays in one
// buffer, which has its full size from the start and is never moved. Removed characters are
// overwritten.

/// A password that is being typed. Only the number of its characters is shown.
final class SecretField {
    /// Characters beyond this are refused.
    static let mostBytes = Secret.mostBytes

    private var bytes: [UInt8] = []
    /// The bytes of each character, in order.
    private var lengths: [Int] = []

    init() { bytes.reserveCapacity(Self.mostBytes) }

    deinit { clear() }

    var isEmpty: Bool { bytes.isEmpty }

    var count: Int { lengths.count }

    /// Whether the protocol allows it: UTF-8 without NUL.
    var isText: Bool { (try? UTF8Span(validating: bytes.span)) != nil && !bytes.contains(0) }

    /// A copy, which is wiped when it is released.
    var secret: Secret { Secret(bytes) }

    /// Handles a key. Returns whether the text has changed.
    func edit(_ key: Key) -> Bool {
        switch key {
        case .text(let scalar): return type(scalar)
        case .paste(let text):
            let line = text.unicodeScalars.prefix { $0 != "\n" }
            return line.reduce(false) { type($1) || $0 }
        case .backspace: return dropLast()
        case .control("u"):
            let hadSome = !isEmpty
            clear()
            return hadSome
        default: return false
        }
    }

    /// Replaces the content with text that was read elsewhere. Returns false, and changes nothing,
    /// if it is too long.
    func fill(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count <= Self.mostBytes else { return false }
        clear()
        bytes.append(contentsOf: text)
        lengths = text.isEmpty ? [] : [text.count]
        return true
    }

    func clear() { while dropLast() {} }

    private func type(_ scalar: Unicode.Scalar) -> Bool {
        let length = UTF8.width(scalar)
        guard bytes.count + length <= Self.mostBytes else { return false }
        for byte in String(scalar).utf8 { bytes.append(byte) }
        lengths.append(length)
        return true
    }

    private func dropLast() -> Bool {
        guard let length = lengths.popLast() else { return false }
        bytes.withUnsafeMutableBytes { all in
            let last = UnsafeMutableRawBufferPointer(rebasing: all.suffix(length))
            if let start = last.baseAddress { explicit_bzero(start, length) }
        }
        bytes.removeLast(length)
        return true
    }
}
