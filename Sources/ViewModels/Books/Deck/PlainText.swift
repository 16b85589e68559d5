import BusdProtocol

/// A text in HTML as plain text: no tags, line breaks where the tags make them, and characters in
/// place of entities. Unclosed tags and unknown entities stay as they are.
struct PlainText {
    enum Rules {
        /// The rules of a draft are permanent: it means the same in each version.
        case draft
        /// Also: an image becomes its text or name in brackets, a reading (`<rt>`) is in
        /// parentheses, the content of `<style>` and `<script>` is left out, and all entities of
        /// HTML 4 are known.
        case file
    }

    /// UTF-8.
    private(set) var bytes: [UInt8] = []
    /// Whether the text has more than images and spaces.
    private(set) var hasWords = false
    /// Whether an entity is a character that a terminal obeys: nobody who sees the HTML expects it.
    private(set) var hasCommands = false

    private let rules: Rules
    private let lastClose: Int
    /// Where the reading began, with its parenthesis.
    private var reading: Int?
    /// Searches for an end that is missing would take quadratic time, so each is made once.
    private var missing: Set<HTMLTag.End> = []

    /// - Parameters:
    ///   - html: UTF-8.
    ///   - hasTags: false for the value of an attribute, which has only entities.
    init(html: ArraySlice<UInt8>, _ rules: Rules, hasTags: Bool = true) {
        self.rules = rules
        let close = hasTags ? html.lastIndex(of: UInt8(ascii: ">")) : nil
        lastClose = close ?? html.startIndex
        bytes.reserveCapacity(html.count)
        read(html)
        trimLineFeeds()
    }

    private mutating func read(_ html: ArraySlice<UInt8>) {
        let isSpecial: (UInt8) -> Bool = { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }
        var next = html.startIndex
        while let special = html[next...].firstIndex(where: isSpecial) {
            add(html[next..<special])
            next = special
            if html[special] == UInt8(ascii: "<"), special < lastClose,
                let tag = HTMLTag(at: html[special...], rules, &missing)
            {
                apply(tag)
                next = tag.end
            } else if html[special] == UInt8(ascii: "&"),
                let entity = HTMLEntity.find(at: html[special...], rules)
            {
                add(entity.character)
                next = entity.end
            } else {
                next += 1
                add(html[special..<next])
            }
        }
        add(html[next...])
        endReading()
    }

    private mutating func add(_ text: ArraySlice<UInt8>) {
        bytes += text
        if !hasWords { hasWords = !text.isBlank }
    }

    private mutating func add(_ character: Unicode.Scalar) {
        bytes += UTF8.encode(character) ?? UTF8.encodedReplacementCharacter
        if !hasWords { hasWords = !character.isBlank }
        if character.isCommand { hasCommands = true }
    }

    /// A block begins and ends at the beginning of a line.
    private mutating func apply(_ tag: HTMLTag) {
        let isAtLineStart = bytes.last ?? .lineFeed == .lineFeed
        if tag.isLineBreak || tag.isBlock && !isAtLineStart { bytes.append(.lineFeed) }
        guard rules == .file else { return }
        if tag.endsReading { endReading() }
        if tag.isReading {
            reading = bytes.count
            bytes.append(UInt8(ascii: "("))
        }
        if tag.isCell, !isAtLineStart { bytes.append(.space) }
        if let image = tag.image {
            let name = image.isEmpty ? Array("image".utf8) : image
            bytes += [UInt8(ascii: "[")] + name + [UInt8(ascii: "]")]
        }
    }

    /// An empty reading is left out.
    private mutating func endReading() {
        guard let start = reading else { return }
        reading = nil
        if bytes.count == start + 1 { bytes.removeLast() } else { bytes.append(UInt8(ascii: ")")) }
    }

    private mutating func trimLineFeeds() {
        guard bytes.first == .lineFeed || bytes.last == .lineFeed else { return }
        guard let last = bytes.lastIndex(where: { $0 != .lineFeed }) else {
            bytes = []
            return
        }
        bytes = Array(bytes[...last].drop { $0 == .lineFeed })
    }
}

extension Unicode.Scalar {
    /// A control character, or one that overrides the direction of the text behind it. Marks of
    /// direction, such as `&rlm;`, have an effect on their neighbours only.
    fileprivate var isCommand: Bool {
        switch self {
        case "\t", "\n", "\r": false
        default:
            switch value {
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }
}
