import BusdBooksEvents
import BusdDeck
import BusdProtocol

// Two terminals may edit the cards at the same time. Each edit names the revision that it is based
// on. The last few texts are kept, so that an edit of one of them can be merged into the newest
// text, line by line.

/// The draft of a book, and whether the book can be created.
public struct BookDraft {
    var screen = BookCreator.Screen.name
    var text = ""
    /// The cards as they were typed.
    private(set) var cardsText = ""
    private(set) var revision: Int
    private(set) var deck = CardText()
    /// Bytes of memory that the cards take at most.
    private(set) var deckBytes = 0
    private var earlier: [(revision: Int, text: String)] = []
    private static let mostEarlier = 4

    init() { revision = 0 }

    /// An empty draft. Its revision is later than that of the former draft.
    init(after former: BookDraft) {
        revision = former.revision + (former.cardsText.isEmpty ? 0 : 1)
    }

    mutating func setDeck(_ new: String) {
        guard !new.isExactly(cardsText) else { return }
        earlier = earlier.suffix(Self.mostEarlier - 1) + [(revision, cardsText)]
        revision += 1
        cardsText = new
        deck = CardText(new)
        deckBytes = Self.bytes(ofDeck: new)
    }

    /// The cards after an edit of an earlier revision; `nil` if this revision is no longer known,
    /// or if the texts are too long to be merged.
    func cardsText(after edit: String, of base: Int?) -> String? {
        guard let base, base != revision else { return edit }
        // An edit of a draft that the daemon has lost in a restart.
        if base > revision, cardsText.isEmpty { return edit }
        guard let base = earlier.last(where: { $0.revision == base })?.text,
            Self.isShort([base, cardsText, edit])
        else { return nil }
        return MergedLines(base: base, theirs: cardsText, mine: edit).text
    }

    /// A merge takes a millisecond for a thousand lines.
    private static func isShort(_ texts: [String]) -> Bool {
        texts.reduce(0) { $0 + lineEnds(in: $1) } < mostMergedLines
    }

    static let mostMergedLines = 1_000

    private static func lineEnds(in text: String) -> Int {
        text.withBytes { bytes in bytes.count { $0 == UInt8(ascii: "\n") } }
    }

    /// The text is kept, and split into at most one card per line. A card takes up to 160 bytes
    /// besides its texts.
    static func bytes(ofDeck text: String) -> Int {
        guard !text.isEmpty else { return 0 }
        return 2 * text.utf8.count + 160 * (lineEnds(in: text) + 1)
    }

    var bytes: Int {
        earlier.reduce(text.utf8.count + deckBytes) { $0 + $1.text.utf8.count }
    }

    /// From now on, only edits of the newest text are accepted.
    mutating func forgetEarlier() { earlier = [] }

    /// `nil` if the text is not a valid name.
    var name: Name? { try? Name(text) }

    var isComplete: Bool { name != nil && !deck.cards.isEmpty && deck.problems.isEmpty }

    var isEmpty: Bool { text.isEmpty && cardsText.isEmpty }

    /// The draft as a screen shows it; `nil` if the draft has other texts. An empty draft takes the
    /// texts of the screen.
    func shown(name: String?, text: String?) -> BookDraft? {
        var shown = self
        if isEmpty {
            shown.text = name ?? ""
            shown.setDeck(text ?? "")
        }
        guard name.map({ $0.isExactly(shown.text) }) ?? true,
            text.map({ $0.isExactly(shown.cardsText) }) ?? true
        else { return nil }
        return shown
    }

    /// Why no book can be created from the draft, and the member of `addTapped` to correct; `nil`
    /// if one can.
    var problem: (text: String, path: String)? {
        if let problem = NameProblem(of: text) {
            return ("the name of the book \(problem.text)", "name")
        }
        let problem = deck.problems.first ?? (deck.cards.isEmpty ? "there are no cards" : nil)
        return problem.map { ($0, "text") }
    }
}

/// The earlier texts are not stored: an edit of one of them is stale after a restart.
extension BookDraft: Codable {
    private struct Stored: Codable {
        var screen: BookCreator.Screen
        var name: String
        var cards: String
        var revision: Int
    }

    public init(from decoder: any Decoder) throws {
        let stored = try Stored(from: decoder)
        self.init()
        (screen, text) = (stored.screen, stored.name)
        setDeck(stored.cards)
        (revision, earlier) = (stored.revision, [])
    }

    public func encode(to encoder: any Encoder) throws {
        try Stored(screen: screen, name: text, cards: cardsText, revision: revision)
            .encode(to: encoder)
    }
}
