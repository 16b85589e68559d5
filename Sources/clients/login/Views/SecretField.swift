import BusdProtocol
import BusdTerminal
import Glibc

// A String can't be wiped, and each change may leave a copy behind. So what is typed stays in one
// piece of memory, that is as large as it will ever be; where a piece of the text leaves it, it is
// wiped there.

/// A password while it is typed. It shows how many characters it has, and nothing else.
final class SecretField {
    /// What goes beyond is not taken.
    static let mostBytes = Secret.mostBytes

    private var bytes: [UInt8] = []
    /// The bytes of each character, in order.
    private var lengths: [Int] = []

    init() { bytes.reserveCapacity(Self.mostBytes) }

    deinit { clear() }

    var isEmpty: Bool { bytes.isEmpty }

    var count: Int { lengths.count }

    /// Whether the wire can take it.
    var isText: Bool { (try? UTF8Span(validating: bytes.span)) != nil && !bytes.contains(0) }

    /// A copy, which is wiped when it is let go.
    var secret: Secret { Secret(bytes) }

    /// Edits, and says whether the text has changed.
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

    /// Takes a text that was read elsewhere. Returns false where it is too long.
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
