import BusdProtocol

/// A text with parts to be guessed, such as `{{c1::Paris::city}} lies at the {{c2::Seine}}` (Anki's
/// manual, "Cloze Deletion"). Each number makes a card. Deletions may contain others.
struct Cloze {
    private enum Segment {
        case text(Range<Int>)
        case open(Deletion)
        case close
    }

    private struct Deletion {
        var numbers: [Int]
        /// Empty if there is none.
        var hint: Range<Int>
    }

    private let bytes: [UInt8]
    private var pieces: [Segment] = []
    /// The numbers of the cards, in ascending order.
    private(set) var numbers: [Int] = []

    /// Nil if the text has no deletion.
    init?(_ text: String) {
        bytes = Array(text.utf8)
        guard bytes[...].firstRange(ignoringCaseOf: Array("{{c".utf8)) != nil else { return nil }
        let matched = Self.matched(Self.marks(in: bytes))
        guard !matched.isEmpty else { return nil }
        split(at: matched)
        numbers = Set(matched.flatMap(\.numbers)).sorted()
    }

    /// Image occlusions hide parts of a picture. They have no text.
    var isOfImage: Bool {
        pieces.contains {
            guard case .text(let range) = $0 else { return false }
            return bytes[range].starts(with: "image-occlusion:".utf8)
        }
    }

    // MARK: Cards

    /// The text with `[…]`, or the hint in brackets, in place of the deletions with this number.
    func front(_ number: Int) -> String {
        var front: [UInt8] = []
        var hidden = 0
        for piece in pieces {
            switch piece {
            case .text(let range): if hidden == 0 { front += bytes[range] }
            case .close: if hidden > 0 { hidden -= 1 }
            case .open(let deletion):
                if hidden > 0 {
                    hidden += 1
                } else if deletion.numbers.contains(number) {
                    hidden = 1
                    let hint = bytes[deletion.hint]
                    front += "[".utf8
                    front += hint.isBlank ? Array("…".utf8)[...] : hint
                    front += "]".utf8
                }
            }
        }
        return String(decoding: front, as: UTF8.self)
    }

    /// The whole text.
    var back: String {
        var back: [UInt8] = []
        for case .text(let range) in pieces { back += bytes[range] }
        return String(decoding: back, as: UTF8.self)
    }

    // MARK: Reading

    /// The beginning or the end of a deletion.
    private struct Mark {
        var range: Range<Int>
        /// Empty for an end.
        var numbers: [Int]
    }

    private static func marks(in bytes: [UInt8]) -> [Mark] {
        var marks: [Mark] = []
        var rest = bytes[...]
        let isBrace: (UInt8) -> Bool = { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }
        while let at = rest.firstIndex(where: isBrace) {
            rest = rest[at...]
            if let open = Opening(rest) {
                marks.append(Mark(range: at..<open.end, numbers: open.numbers))
                rest = rest[open.end...]
            } else if rest.starts(with: "}}".utf8) {
                marks.append(Mark(range: at..<(at + 2), numbers: []))
                rest = rest.dropFirst(2)
            } else {
                rest = rest.dropFirst()
            }
        }
        return marks
    }

    /// The marks that have a counterpart. The others are text.
    private static func matched(_ marks: [Mark]) -> [Mark] {
        var open: [Int] = []
        var places: [Int] = []
        for (place, mark) in marks.enumerated() {
            if mark.numbers.isEmpty {
                if let start = open.popLast() { places += [start, place] }
            } else {
                open.append(place)
            }
        }
        return places.sorted().map { marks[$0] }
    }

    private mutating func split(at marks: [Mark]) {
        var open: [Int] = []
        var start = 0
        for mark in marks {
            addText(start..<mark.range.lowerBound, in: open.last)
            if mark.numbers.isEmpty {
                open.removeLast()
                pieces.append(.close)
            } else {
                open.append(pieces.count)
                pieces.append(.open(Deletion(numbers: mark.numbers, hint: 0..<0)))
            }
            start = mark.range.upperBound
        }
        addText(start..<bytes.count, in: nil)
    }

    /// The hint of a deletion follows two colons.
    private mutating func addText(_ range: Range<Int>, in deletion: Int?) {
        var text = range
        if let place = deletion, case .open(var open) = pieces[place],
            let colons = bytes[range].firstRange(ignoringCaseOf: Array("::".utf8))
        {
            open.hint = colons.upperBound..<range.upperBound
            pieces[place] = .open(open)
            text = range.lowerBound..<colons.lowerBound
        }
        pieces.append(.text(text))
    }
}

/// `{{c1::`, or with several numbers `{{c1,2::`.
private struct Opening {
    let numbers: [Int]
    let end: Int

    private static let mostBytes = 24

    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.starts(with: "{{c".utf8) || bytes.starts(with: "{{C".utf8) else { return nil }
        let inside = bytes.dropFirst(3).prefix(Self.mostBytes)
        guard let colons = inside.firstRange(ignoringCaseOf: Array("::".utf8)) else { return nil }
        let texts = inside[..<colons.lowerBound].split(
            separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let known = texts.compactMap { Int(peer: String(decoding: $0, as: UTF8.self)) }
        guard known.count == texts.count, known.allSatisfy({ $0 >= 0 }) else { return nil }
        (numbers, end) = (known, colons.upperBound)
    }
}
