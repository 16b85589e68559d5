/// What the head of a text that Anki has exported says of the lines below: `#key:value`, a line
/// each (Anki's manual, "File Headers").
struct AnkiHeader {
    private(set) var isHTML = false
    private(set) var isTabSeparated = true
    private(set) var deck: String?
    /// Of the columns that are Anki's own: for each what it is, and its number, from 1.
    private var special: [String: Int] = [:]

    func isSpecial(_ column: Int) -> Bool { !special.isEmpty && special.values.contains(column) }

    /// Reads a line without its `#`. Returns false where it is no header.
    mutating func read(_ line: ArraySlice<UInt8>) -> Bool {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let key = text(line[..<colon])
        let value = line[(colon + 1)...]
        switch key {
        case "separator":
            isTabSeparated = value.elementsEqual([UInt8(ascii: "\t")]) || text(value) == "tab"
        case "html": isHTML = text(value) == "true"
        case "guid column", "notetype column", "deck column", "tags column":
            special[key] = Int(peer: text(value))
        case "deck": deck = trimmed(value)
        case "columns", "notetype", "tags": break
        default: return false
        }
        return true
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String { trimmed(bytes).lowercased() }

    private func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") }
        let end = bytes.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? bytes.startIndex
        return String(decoding: bytes[..<end].drop(while: isSpace), as: UTF8.self)
    }
}
