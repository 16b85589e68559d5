/// Cards as people type them, and as Anki exports notes as text.
///
/// - One card per line: front, tab, back. Further columns and empty lines are ignored. A line ends
///   with LF, or with CR and LF.
/// - A field in double quotes may contain tabs, line ends, and quotes, each doubled. If the closing
///   quote is missing, or no tab or line end follows it, the field is taken as it is.
/// - Headers of Anki are understood at the beginning of the text, such as `#html:true` and
///   `#guid column:1`. A special column of Anki is neither front nor back.
/// - With `#html:true`, tags are removed, entities are decoded, and `<br>`, `<div>` and similar
///   tags begin a line.
///
/// Reading takes time linear in the length of the text, for any text.
public struct CardText: Equatable, Sendable {
    public static let mostProblems = 20

    /// The cards that could be read.
    public let cards: [Card]
    /// For each card, the number of its first line, from 1.
    public let lines: [Int]
    /// The problems of the other lines, such as `line 3 has no tab`. After 20 problems, the number
    /// of further ones: `and 37 more lines`.
    public let problems: [String]
    /// The name of the deck, from Anki's header.
    public let deck: String?

    public init(_ text: String = "") {
        var reader = CardTextReader(text)
        reader.read()
        cards = reader.cards
        lines = reader.lines
        problems = reader.problems.texts
        deck = reader.header.deck
    }
}

struct CardTextProblems {
    private var first: [String] = []
    private var count = 0

    /// `what` continues the text "line 3", such as "has no tab".
    mutating func add(_ number: Int, _ what: String) {
        count += 1
        if count <= CardText.mostProblems { first.append("line \(number) \(what)") }
    }

    var texts: [String] {
        switch count - first.count {
        case 0: first
        case 1: first + ["and 1 more line"]
        case let more: first + ["and \(more) more lines"]
        }
    }
}
