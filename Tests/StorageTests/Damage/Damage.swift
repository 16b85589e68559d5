import TestSupport

/// A change of the bytes of one file.
struct Damage: CustomStringConvertible, Sendable {
    enum Change: Sendable {
        case bit(Int, at: Int)
        case byte(UInt8, at: Int)
        /// A block of 512 bytes, as a disk may lose it.
        case block(UInt8, at: Int)
        /// A page is written to the place of another page, too.
        case pageTwice(Int, at: Int)
        case pagesSwapped(Int, Int)
        case cut(to: Int)
        case removed
    }

    let file: String
    let change: Change

    var description: String { "\(file): \(change)" }

    private static let page = 4096

    /// - Returns: `nil` if the file is removed.
    func applied(to whole: [UInt8]) -> [UInt8]? {
        var bytes = whole
        let page = Self.page
        func range(_ number: Int) -> Range<Int> { number * page..<(number + 1) * page }
        switch change {
        case .bit(let bit, let place): bytes[place] ^= 1 << UInt8(bit)
        case .byte(let byte, let place): bytes[place] = byte
        case .block(let filler, let start):
            for place in start..<min(start + 512, bytes.count) { bytes[place] = filler }
        case .pageTwice(let from, let to): bytes[range(to)] = whole[range(from)]
        case .pagesSwapped(let one, let other):
            bytes[range(one)] = whole[range(other)]
            bytes[range(other)] = whole[range(one)]
        case .cut(let count): bytes.removeLast(bytes.count - count)
        case .removed: return nil
        }
        return bytes
    }

    static func bits(of file: String, _ bytes: [UInt8]) -> [Damage] {
        bytes.indices.flatMap { place in
            (0..<8).map { Damage(file: file, change: .bit($0, at: place)) }
        }
    }

    /// Three of four single bits and bytes are in a byte that is not 0: most others are unused.
    static func random(
        of file: String, _ bytes: [UInt8], using random: inout SeededGenerator
    ) -> Damage {
        var place = random.number(0..<bytes.count)
        if !random.once(in: 4) {
            while bytes[place] == 0 { place = random.number(0..<bytes.count) }
        }
        let pages = bytes.count / page
        let change: Change =
            switch random.number(0..<12) {
            case 0: .byte(UInt8(random.number(0...255)), at: place)
            case 1: .block(random.once(in: 2) ? 0 : 0xff, at: place / 512 * 512)
            case 2 where pages > 1, 3 where pages > 1:
                .pageTwice(random.number(0..<pages), at: random.number(0..<pages))
            case 4 where pages > 1:
                .pagesSwapped(random.number(0..<pages), random.number(0..<pages))
            case 5: .cut(to: random.number(0..<bytes.count))
            case 6 where random.once(in: 8): .removed
            default: .bit(random.number(0..<8), at: place)
            }
        return Damage(file: file, change: change)
    }
}
