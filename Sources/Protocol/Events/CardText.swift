/// Cards as people type them, and as Anki exports notes as text.
///
/// - A card a line, its front, a tab, its back. Further columns are ignored, and so are empty
///   lines. A line ends with LF, or with CR and LF.
/// - A field in double quotes may have tabs and line ends in it, and quotes, each doubled. One that
///   begins with a quote and has no other before a tab or the end of a line is taken as it is.
/// - Anki's headers are understood at the head of the text, such as `#html:true` and
///   `#guid column:1`. A column of Anki's own is neither front nor back.
/// - With `#html:true`, tags are left out, `<br>`, `<div>` and their like begin a line, and
///   entities are decoded.
///
/// Reading takes time in proportion to the length of the text, whatever the text.
public struct CardText: Equatable, Sendable {
    public static let mostProblems = 20

    /// All that could be read.
    public let cards: [Card]
    /// For each card the number of the line in which it begins, from 1.
    public let lines: [Int]
    /// What is wrong with the other lines, in a few words each: `line 3 has no tab`. After 20 of
    /// them how many more there are: `and 37 more lines`.
    public let problems: [String]
    /// What Anki's header says that the deck is called.
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

    /// `what` is what line `number` has.
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
