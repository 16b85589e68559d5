import BusdBooksEvents
import BusdDeck
import BusdProtocol

/// Messages about a file: what is wrong, and what to do.
struct DeckTroubles {
    let path: String

    var file: String { path == "-" ? "standard input" : path }

    func texts(of failure: Deck.Failure) -> [String] {
        switch failure {
        case .headers(let faults):
            faults.map { "\(file): line \($0.line) is '\($0.text)': use \($0.expected)" }
        case .noSeparator:
            [
                "\(file): no line has a tab, and neither comma, semicolon nor pipe splits every line "
                    + "alike: name the separator with --separator"
            ]
        case .severalSeparators(let separators):
            [
                "\(file): no line has a tab, and \(separators.map(\.rawValue).joined(separator: " and ")) "
                    + "split every line alike: name the separator with --separator"
            ]
        case .columns(let problem): ["\(file) \(problem.text)"]
        case .badName(_, .isEmpty): ["the book needs a name: add --name NAME"]
        case .badName(let name, let problem):
            ["the book's name '\(name)' \(problem.text); set another name with --name"]
        }
    }

    func text(of failure: DeckFile.Failure) -> String {
        switch failure {
        case .unreadable(let reason): "\(file): \(reason)"
        case .isTooLarge:
            "\(file) has more than \(DeckFile.mostBytes >> 20) MiB: import it in parts"
        case .isNotText(.archive):
            "\(file) is an archive, not text: export it as text first (Anki: Notes in Plain Text; "
                + "spreadsheets: CSV)"
        case .isNotText(.other(let encoding)):
            "\(file) is \(encoding), not UTF-8: convert it with \(command(from: encoding))"
        case .isNotText(.zero(let line)):
            "\(file) has the character U+0000 (line \(line)): leave it out"
        case .isNotText(.unknown(let line)):
            "\(file) is not UTF-8 text (line \(line)): convert it, from the encoding that it has, "
                + "such as with \(command(from: "WINDOWS-1252"))"
        }
    }

    private func command(from encoding: String) -> String {
        let file = path == "-" ? "" : " " + quotedForShell(path)
        let name = path == "-" ? "NAME" : quotedForShell(Deck.name(of: path))
        return "iconv -f \(encoding) -t UTF-8\(file) | books import -n \(name) -"
    }

    private func quotedForShell(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || "0"..."9" ~= $0 || "_./-".unicodeScalars.contains($0)
        }
        if isPlain, !text.isEmpty { return text }
        return "'"
            + text.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: #"'\''"#) + "'"
    }

    /// One text for each problem of the lines.
    func texts(ofLinesIn deck: Deck, areSkipped: Bool) -> [String] {
        let remedy =
            if deck.count == 0 {
                "; nothing was imported: if fields have another separator, name it with --separator"
            } else if areSkipped {
                ": left out"
            } else {
                "; nothing was imported: correct this, or leave it out with --skip-bad"
            }
        return deck.problems.map { "\(file): \($0)\(remedy)" }
    }

    /// Nil if the cards fit into a book.
    func size(of deck: Deck) -> String? {
        if deck.count > Books.mostCards {
            return "\(file) has \(deck.count) cards, and a book has at most \(Books.mostCards): "
                + "import it in parts"
        }
        if deck.size > Books.mostBytesOfBook {
            return "\(file) has \(deck.size) bytes of cards, and a book has at most "
                + "\(Books.mostBytesOfBook): import it in parts"
        }
        guard deck.count == 0, deck.problems.isEmpty else { return nil }
        return "\(file) has no cards: write one per line, its front, a tab, its back"
    }
}
