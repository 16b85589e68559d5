public import BusdBooksEvents
import BusdProtocol

/// Cards as people type them in a draft, and as Anki exports notes as text. A draft means the same
/// in each version. `books import` reads more forms of a file.
///
/// - One card per line: front, tab, back. A further tab is a problem, unless the text begins with a
///   header of Anki: then further columns are ignored. Empty lines are ignored. A line ends with
///   LF, or with CR and LF.
/// - A field in double quotes may contain tabs, line ends, and quotes, each doubled. If the closing
///   quote is missing, or no tab or line end follows it, the field is taken as it is.
/// - Headers of Anki are understood at the beginning of the text, such as `#html:true` and
///   `#guid column:1`. A special column of Anki is neither front nor back.
/// - With `#html:true`, tags are removed, entities are decoded, and `<br>`, `<div>` and similar
///   tags begin a line. Entities for control characters are a problem.
/// - More than 30 marks on one letter are a problem, and so is a card that is too long for a
///   request that changes it.
///
/// Reading takes time linear in the length of the text, for any text.
public struct CardText: Equatable, Sendable {
    /// The cards that could be read.
    public let cards: [Card]
    /// For each card, the number of its first line, from 1.
    public let lines: [Int]
    /// The problems of the other lines, one text for each kind of problem, such as
    /// `line 3 has no tab` or `lines 2 to 25, 30 and 37 more have no tab`.
    public let problems: [String]
    /// The name of the deck, from Anki's header.
    public let deck: String?

    /// Reads the cards of the text. A line that is no card is named in `problems`.
    public init(_ text: String = "") {
        var reader = CardTextReader(text)
        reader.read()
        cards = reader.cards
        lines = reader.lines
        problems = reader.problems.texts
        deck = reader.header.deck
    }
}
