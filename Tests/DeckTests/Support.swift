import BusdBooksEvents
import BusdProtocol
import Testing

@testable import BusdDeck
@testable import books

/// The deck that a file with this text becomes.
func deck(
    _ text: String, _ separator: Separator? = nil, readsHTML: Bool = false
) throws -> Deck {
    try Deck(
        Array(text.utf8), path: "deck.txt",
        Deck.Options(name: nil, separator: separator, readsHTML: readsHTML))
}

/// The deck of a file, with `--columns`.
func deck(_ text: String, columns: String) throws -> Deck {
    let request = try #require(ColumnRequest(columns))
    return try Deck(Array(text.utf8), path: "deck.txt", Deck.Options(columns: request))
}

/// `front|back` of each card. A problem of a line fails the test.
func cards(
    _ text: String, _ separator: Separator? = nil, readsHTML: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> [String] {
    let deck = try deck(text, separator, readsHTML: readsHTML)
    #expect(deck.problems == [], sourceLocation: sourceLocation)
    #expect(deck.count == deck.cards.count, sourceLocation: sourceLocation)
    #expect(deck.lines.count == deck.cards.count, sourceLocation: sourceLocation)
    return deck.cards.map { "\($0.front)|\($0.back)" }
}

/// What the command line prints about a file that is refused as a whole.
func refusal(of text: String, path: String = "deck.txt") -> [String] {
    do {
        _ = try Deck(Array(text.utf8), path: path)
        return []
    } catch {
        return DeckTroubles(path: path).texts(of: error)
    }
}
