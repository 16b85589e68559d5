public import BusdBooksEvents
import BusdProtocol

/// A book as text that Anki imports, and that `books import` reads exactly as it was.
public struct DeckText {
    public private(set) var text = Self.head

    private static let head = "#separator:tab\n#html:false\n"
    private static let mark = "#busd:exact\n"
    /// The head, the longest name, and the mark.
    private static let mostBytesOfHead = 1_100

    public init(name: String, cards: [Card]) {
        if let name = Self.header(ofName: name) { text += name }
        text += Self.mark
        for card in cards { text += "\(Self.field(card.front))\t\(Self.field(card.back))\n" }
    }

    /// Whether a file was written by an export: it may have any character, also U+0000.
    static func hasHead(_ bytes: [UInt8]) -> Bool {
        let start = bytes.prefix(mostBytesOfHead)
        return start.starts(with: head.utf8)
            && start.firstRange(ignoringCaseOf: Array(mark.utf8)) != nil
    }

    /// A name that begins or ends like a value in a spreadsheet is put in quotes. Without a header,
    /// an import names the book after the file.
    private static func header(ofName name: String) -> String? {
        ["#deck:\(name)", "#deck:\"\(name)\""].first { line in
            var header = DeckHeader()
            guard let line = DeckHeader.Line(Array(line.utf8)[...]) else { return false }
            _ = header.read(line, at: 1)
            return header.deck?.isExactly(name) == true
        }.map { $0 + "\n" }
    }

    /// A field is put in quotes if it has a character with a meaning, or nothing to be seen.
    private static func field(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let isPlain =
            bytes.first != UInt8(ascii: "#") && !bytes[...].isBlank
            && !bytes.contains { [.tab, .lineFeed, .carriageReturn, .quote].contains($0) }
        return isPlain ? text : text.inQuotes
    }
}

extension String {
    /// In double quotes, with each quote doubled.
    fileprivate var inQuotes: String {
        var quoted: [UInt8] = [.quote]
        for byte in utf8 { quoted += byte == .quote ? [.quote, .quote] : [byte] }
        return String(decoding: quoted + [.quote], as: UTF8.self)
    }
}
