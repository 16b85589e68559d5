/// Headers of a text that Anki has exported, one `#key:value` per line (Anki's manual, "File
/// Headers"). Keys and some values are ASCII, in either case.
struct AnkiHeader {
    private enum Key: String, CaseIterable {
        case separator, html, deck, columns, notetype, tags
        case guidColumn = "guid column"
        case notetypeColumn = "notetype column"
        case deckColumn = "deck column"
        case tagsColumn = "tags column"

        init?(_ text: ArraySlice<UInt8>) {
            guard let key = Self.allCases.first(where: { text.equalsIgnoringCase($0.rawValue) })
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
                value.elementsEqual([UInt8(ascii: "\t")]) || value.trimmed.equalsIgnoringCase("tab")
        case .html: isHTML = value.trimmed.equalsIgnoringCase("true")
        case .guidColumn, .notetypeColumn, .deckColumn, .tagsColumn:
            special[key] = Int(peer: String(decoding: value.trimmed, as: UTF8.self))
        case .deck: deck = String(decoding: value.trimmed, as: UTF8.self)
        case .columns, .notetype, .tags: break
        }
        return true
    }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmed: ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") }
        let end = lastIndex { !isSpace($0) }.map { $0 + 1 } ?? startIndex
        return self[..<end].drop(while: isSpace)
    }

    /// - Parameter text: lowercase letters of ASCII, and spaces.
    fileprivate func equalsIgnoringCase(_ text: String) -> Bool {
        elementsEqual(text.utf8) { own, wanted in
            own == wanted || wanted >= UInt8(ascii: "a") && own | 0x20 == wanted && own < 0x60
        }
    }
}
