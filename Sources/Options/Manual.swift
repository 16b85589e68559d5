import BusdProtocol
/// The prose of a man page. Options, verbs and exit statuses come from the program.
package struct Manual: Sendable {
    /// `1` for a program of users, `8` for one of administrators.
    let section: Int
    /// All prose is roff.
    let description: String
    let sections: [(title: String, text: String)]
    /// `busd(8)`
    let seeAlso: [String]

    package init(
        section: Int = 1, description: String, sections: [(title: String, text: String)] = [],
        seeAlso: [String] = []
    ) {
        self.section = section
        self.description = description
        self.sections = sections
        self.seeAlso = seeAlso
    }

    var title: String { section == 8 ? "System Manager's Manual" : "User Commands" }
}

extension String {
    /// Plain text in roff.
    var roff: String {
        let text = replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return text.first == "." || text.first == "'" ? "\\&" + text : text
    }

    /// The text with a capital letter and a full stop. A first word that a mark follows is a value
    /// or a name, which is typed as it is: `full: …`, `error, warning …`, `busd's …`.
    var sentence: String {
        let word = prefix { $0.isLetter }
        let isName = dropFirst(word.count).first.map { ":,'".contains($0) } ?? false
        let text = isName ? self : prefix(1).uppercased() + dropFirst()
        return text.last == "." ? text : text + "."
    }
}
