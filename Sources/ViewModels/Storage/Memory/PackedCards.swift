import BusdProtocol

/// Cards in one piece of memory: for each the length of its front, its front, the length of its
/// back, its back. Cards are only ever added, so what was packed stays as it is.
struct PackedCards: Equatable, Sendable {
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0

    mutating func append(_ card: Card) {
        for text in [card.front, card.back] {
            append(UInt(text.utf8.count))  // fits: a count does
            bytes.append(contentsOf: text.utf8)
        }
        count += 1
    }

    /// Those behind others.
    func cards(after others: PackedCards = PackedCards()) -> [Card] {
        var rest = bytes[others.bytes.count...]
        return (others.count..<count).map { _ in
            let front = Self.takeText(from: &rest)
            return Card(front: front, back: Self.takeText(from: &rest))
        }
    }

    /// Seven bits in a byte, the low ones first.
    private mutating func append(_ number: UInt) {
        var number = number
        while number > 0x7f {
            bytes.append(UInt8(truncatingIfNeeded: number) | 0x80)
            number >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: number))
    }

    private static func takeText(from rest: inout ArraySlice<UInt8>) -> String {
        var (length, shift) = (0, 0)
        while let byte = rest.popFirst() {
            length |= Int(byte & 0x7f) << shift  // fits: a byte does
            if byte < 0x80 { break }
            shift += 7
        }
        defer { rest.removeFirst(length) }
        return String(decoding: rest.prefix(length), as: UTF8.self)
    }
}
