import BusdProtocol

/// Headers in a draft, from a text that Anki has exported, one `#key:value` per line (Anki's
/// manual, "File Headers"). Keys and some values are ASCII, in either case. These rules are
/// permanent, as a draft means the same in each version.
struct AnkiHeader {
    private enum Key: String, CaseIterable {
        case separator, html, deck, columns, notetype, tags
        case guidColumn = "guid column"
        case notetypeColumn = "notetype column"
        case deckColumn = "deck column"
        case tagsColumn = "tags column"

        init?(_ text: ArraySlice<UInt8>) {
            guard
                let key = Self.allCases.first(where: { text.equalsIgnoringCase($0.rawValue.utf8) })
            else {
                return nil
            }
            self = key
        }
    }

    private(set) var isHTML = false
    private(set) var isTabSeparated = true
    private(set) var deck: String?
    /// Numbers, from 1, of the columns that are neither front nor back.
    private var special: [Key: Int] = [:]

    func isSpecial(_ column: Int) -> Bool { !special.isEmpty && special.values.contains(column) }

    /// Reads a line without its `#`. Returns false if it is no header.
    mutating func read(_ line: ArraySlice<UInt8>) -> Bool {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            let key = Key(line[..<colon].trimmed)
        else { return false }
        let value = line[(colon + 1)...]
        switch key {
        case .separator:
            isTabSeparated =
                value.elementsEqual([UInt8(ascii: "\t")])
                || value.trimmed.equalsIgnoringCase("tab".utf8)
        case .html: isHTML = value.trimmed.equalsIgnoringCase("true".utf8)
        case .guidColumn, .notetypeColumn, .deckColumn, .tagsColumn:
            special[key] = Int(peer: String(decoding: value.trimmed, as: UTF8.self))
        case .deck: deck = String(decoding: value.trimmed, as: UTF8.self)
        case .columns, .notetype, .tags: break
        }
        return true
    }
}
