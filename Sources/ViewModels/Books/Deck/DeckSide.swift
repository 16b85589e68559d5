import BusdProtocol

/// A field of a file as a side of a card: HTML as plain text, without sounds.
struct DeckSide {
    enum Content {
        case words
        /// Names of images, or a sound, and no other text.
        case media
        case nothing
    }

    let text: String
    let content: Content
    /// Whether an entity is a character that a terminal obeys.
    let hasCommands: Bool

    /// Sides below each other, without empty ones.
    init(_ sides: [DeckSide]) {
        let some = sides.filter { $0.content != .nothing }
        text = some.map(\.text).joined(separator: "\n")
        hasCommands = some.contains { $0.hasCommands }
        content = some.contains { $0.content == .words } ? .words : some.first?.content ?? .nothing
    }

    /// - Parameter field: UTF-8.
    init(_ field: ArraySlice<UInt8>, isHTML: Bool) {
        let (raw, hasSound) = Self.withoutSounds(field)
        let plain = isHTML ? PlainText(html: raw, .file) : nil
        hasCommands = plain?.hasCommands ?? false
        let bytes = plain.map { $0.bytes[...] } ?? raw
        if bytes.isBlank {
            text = hasSound ? "[sound]" : ""
            content = hasSound ? .media : .nothing
        } else {
            text = String(decoding: bytes, as: UTF8.self)
            content = plain?.hasWords ?? true ? .words : .media
        }
    }

    /// Leaves out each `[sound:FILE]`, and then spaces at both ends.
    private static func withoutSounds(
        _ text: ArraySlice<UInt8>
    ) -> (ArraySlice<UInt8>, hasSound: Bool) {
        let mark = Array("[sound:".utf8)
        var plain: [UInt8] = []
        var rest = text
        while let found = rest.firstRange(ignoringCaseOf: mark),
            let end = rest[found.upperBound...].firstIndex(of: UInt8(ascii: "]"))
        {
            plain += rest[..<found.lowerBound]
            rest = rest[(end + 1)...]
        }
        guard rest.startIndex > text.startIndex else { return (text, false) }
        return ((plain + rest)[...].trimmed { $0 <= .space }, true)
    }

    /// Whether a field that is taken as it is seems to be in HTML.
    static func looksLikeHTML(_ field: ArraySlice<UInt8>) -> Bool {
        field.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }
            && ["<br", "<div", "<img ", "</", "&nbsp;"].contains {
                field.firstRange(ignoringCaseOf: Array($0.utf8)) != nil
            }
    }
}
