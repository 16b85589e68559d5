import Protocol

/// The last keys of one view model, packed: for each its length, its UTF-8, the first event of its
/// answer (0 where it caused none) and how many follow that. Numbers have seven bits in a byte, the
/// low ones first.
struct KeyWindow: Sendable {
    /// PROTOCOL.md, section 3.
    static let size = 1024

    typealias Entry = (key: String, answer: ClosedRange<Int>?)

    let address: Address
    private var bytes: [UInt8] = []
    private var count = 0

    init(of address: Address) { self.address = address }

    mutating func remember(_ key: String, _ answer: ClosedRange<Int>?) {
        append(UInt(key.utf8.count))
        bytes.append(contentsOf: key.utf8)
        append(UInt(answer?.lowerBound ?? 0))
        if let answer { append(UInt(answer.upperBound - answer.lowerBound)) }
        count += 1
        if count > Self.size { forgetOldest() }
    }

    /// Oldest first.
    var entries: [Entry] {
        var rest = bytes[...]
        return (0..<count).map { _ in Self.entry(&rest) }
    }

    private mutating func forgetOldest() {
        var rest = bytes[...]
        _ = Self.entry(&rest)
        bytes.removeFirst(rest.startIndex)
        count -= 1
    }

    private mutating func append(_ number: UInt) {
        var number = number
        while number > 0x7f {
            bytes.append(UInt8(truncatingIfNeeded: number) | 0x80)
            number >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: number))
    }

    private static func entry(_ rest: inout ArraySlice<UInt8>) -> Entry {
        let length = Int(number(&rest))
        let key = String(decoding: rest.prefix(length), as: UTF8.self)
        rest = rest.dropFirst(length)
        let first = Int(number(&rest))
        guard first > 0 else { return (key, nil) }
        return (key, first...(first + Int(number(&rest))))
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> UInt {
        var (number, shift) = (UInt(0), 0)
        while let byte = rest.popFirst() {
            number |= UInt(byte & 0x7f) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        return number
    }
}
