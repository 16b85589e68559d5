import TestSupport

@testable import BusdRedisLog

/// Random changes of bytes. Many put a number at a limit in the place of another number.
struct Mutations {
    private var random: SeededGenerator
    private static let numbers = [
        "-1", "0", "00", "1099511627776", "4503599627370496", "4503599627370497",
        "9007199254740991", "9007199254740992", "1152921504606846976", "9223372036854775807",
        "-9223372036854775808", "18446744073709551616", "1e999", "0.5",
    ]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func number(_ range: Range<Int>) -> Int { random.number(range) }
    mutating func once(in count: Int) -> Bool { random.once(in: count) }

    mutating func change(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        if let digits = digits(in: bytes), !random.once(in: 3) {
            let number = Self.numbers.randomElement(using: &random) ?? ""
            bytes.replaceSubrange(digits, with: number.utf8)
            return bytes
        }
        let place = random.number(0...bytes.count)
        let byte = UInt8.random(in: 0...255, using: &random)
        switch random.number(0..<4) {
        case 0: bytes.insert(byte, at: place)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1))
        case 2: bytes.replaceSubrange(place..<min(bytes.count, place + 1), with: [byte])
        default: bytes.insert(contentsOf: bytes[place...].prefix(50), at: place)
        }
        return bytes
    }

    /// The place of a number.
    private mutating func digits(in bytes: [UInt8]) -> Range<Int>? {
        func isDigit(_ place: Int) -> Bool {
            bytes.indices.contains(place) && UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[place]
        }
        let starts = bytes.indices.filter { isDigit($0) && !isDigit($0 - 1) }
        guard let start = starts.randomElement(using: &random) else { return nil }
        return start..<(bytes[start...].indices.first { !isDigit($0) } ?? bytes.count)
    }

    /// An entry of the stream, as Redis sends it.
    mutating func entry(_ number: Int, _ form: [UInt8], isChanged: Bool) -> RedisValue {
        var id = Array("\(number)-0".utf8)
        var fields: [(String, [UInt8])] = [
            ("e", form), ("t", Array("\(number)000000".utf8)), ("c", Array("00ff".utf8)),
            ("o", Array("0a".utf8)), ("s", Array("\(number)".utf8)),
        ]
        if isChanged {
            let place = random.number(0..<8)
            switch place {
            case 1..<fields.count: fields[place].1 = change(fields[place].1)
            case 5: id = change(id)
            default: fields[0].1 = change(form)
            }
        }
        return .list([
            .text(id), .list(fields.flatMap { [.text(Array($0.0.utf8)), .text($0.1)] }),
        ])
    }
}
