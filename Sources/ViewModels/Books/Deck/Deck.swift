public import BusdBooksEvents
public import BusdProtocol

/// The cards of a file, and the name of their book.
public struct Deck {
    /// What the command line says about the file.
    public struct Options {
        /// The name of the book; nil: the deck's name in the file, else the file's name.
        public var name: String?
        /// Nil: from the file.
        public var separator: Separator?
        /// Also if the file does not say that it is in HTML.
        public var readsHTML: Bool
        /// Nil: from the file.
        public var columns: ColumnRequest?

        public init(
            name: String? = nil, separator: Separator? = nil, readsHTML: Bool = false,
            columns: ColumnRequest? = nil
        ) {
            self.name = name
            self.separator = separator
            self.readsHTML = readsHTML
            self.columns = columns
        }
    }

    public enum Failure: Error, Equatable {
        case headers([DeckHeader.Fault])
        case noSeparator
        case severalSeparators([Separator])
        case badName(String, NameProblem)
        case columns(ColumnRequest.Problem)
    }

    public let name: Name
    /// Those that a book has room for.
    public let cards: [Card]
    /// For each card the line in which it begins, counted from 1.
    public let lines: [Int]
    /// The number of all cards in the file, and the bytes that a book would count.
    public let (count, size): (Int, Int)
    /// The problems of lines that are no cards, one text for each kind of problem.
    public let problems: [String]
    public let layout: DeckLayout
    /// What was decided about the file, and may be wrong.
    public let notes: [String]

    /// - Parameters:
    ///   - bytes: UTF-8.
    ///   - path: the path of the file, or `-` for standard input.
    public init(_ bytes: [UInt8], path: String, _ options: Options = Options()) throws(Failure) {
        let choice = options.separator.map { .known($0) } ?? Separator.choice(for: bytes)
        let (separator, isGuessed) = try Self.separator(choice)
        var reader = try Self.reader(bytes, separator, isGuessed: isGuessed, options)
        reader.read()
        guard reader.lines.header.faults.isEmpty else {
            throw .headers(reader.lines.header.faults)
        }
        name = try Self.name(options.name ?? reader.lines.header.deck ?? Self.name(of: path))
        (cards, lines, problems) = (reader.cards, reader.cardLines, reader.problems.texts)
        (count, size) = (reader.count, reader.bytes)
        layout = reader.layout
        notes = Self.notes(isGuessed ? separator : nil, reader)
    }

    private static func reader(
        _ bytes: [UInt8], _ separator: Separator, isGuessed: Bool, _ options: Options
    ) throws(Failure) -> DeckReader {
        do throws(ColumnRequest.Problem) {
            return try DeckReader(
                bytes, separator, isGiven: options.separator != nil || isGuessed,
                readsHTML: options.readsHTML, columns: options.columns)
        } catch {
            throw .columns(error)
        }
    }

    private static func separator(
        _ choice: Separator.Choice
    ) throws(Failure) -> (Separator, isGuessed: Bool) {
        switch choice {
        case .known(let separator): return (separator, false)
        case .guessed(let separator): return (separator, true)
        case .several(let separators): throw .severalSeparators(separators)
        case .none: throw .noSeparator
        }
    }

    private static func name(_ text: String) throws(Failure) -> Name {
        do throws(NameProblem) {
            return try Name(text)
        } catch {
            throw .badName(text, error)
        }
    }

    /// The file's name without its folder and extension.
    public static func name(of path: String) -> String {
        let parts = path.split(separator: "/")  // text: of the command line
        let file = path == "-" ? "" : parts.last ?? ""
        let dot = file.lastIndex(of: ".")  // text: of the command line
        guard let dot, dot != file.startIndex else { return String(file) }
        return String(file[..<dot])
    }

    private static func notes(_ guessed: Separator?, _ reader: DeckReader) -> [String] {
        func lines(_ count: Int) -> String { count == 1 ? "1 line" : "\(count) lines" }
        var notes: [String] = []
        if let guessed {
            notes.append(
                "no line has a tab, so the separator is the \(guessed.rawValue); "
                    + "--separator sets another")
        }
        if reader.shifted > 0 {
            notes.append(
                "in \(lines(reader.shifted)) a side was empty, and the next field was taken")
        }
        if reader.withoutWords > 0 {
            let cards =
                reader.withoutWords == 1 ? "1 card has" : "\(reader.withoutWords) cards have"
            notes.append("\(cards) only an image or a sound on a side")
        }
        if reader.likeHTML > 0 {
            notes.append(
                "tags in \(lines(reader.likeHTML)) are taken as they are; --html reads them as HTML"
            )
        }
        if let title = reader.layout.titleLine {
            notes.append("line \(title) names the columns, and is no card")
        }
        if let note = reader.layout.note { notes.append(note) }
        for text in reader.lines.comments.texts { notes.append("\(text): left out") }
        return notes
    }
}
