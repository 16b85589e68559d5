package import BusdProtocol
package import BusdSite
import TestSupport

/// A value of JSON that stays valid as long as it is used.
package func json(_ text: String) throws -> JSONValue {
    let document = JSONDocument(isLenient: true)
    try document.read(Array(text.utf8))
    guard let root = document.root else { throw NoValue() }
    return root
}

private struct NoValue: Error {}

/// A text of JSON with its quotes.
package func quoted(_ text: String) -> String {
    var out = JSONWriter()
    out.value(text)
    return String(decoding: out.bytes, as: UTF8.self)
}

extension Page {
    package var markup: String {
        let markup = String(decoding: html(root: "../").bytes, as: UTF8.self)
        keep(picture: markup, named: "page.html")
        return markup
    }

    /// The tags of the page, in order, without what is in the values of their attributes.
    package var tags: [String] {
        var tags: [String] = []
        var (isOpen, isQuoted) = (false, false)
        for character in markup.unicodeScalars {
            switch character {
            case "<" where !isOpen:
                isOpen = true
                tags.append("")
            case ">" where isOpen && !isQuoted: isOpen = false
            case "\"" where isOpen: isQuoted.toggle()
            default:
                guard isOpen, !isQuoted, let last = tags.indices.last else { continue }
                tags[last].unicodeScalars.append(character)
            }
        }
        return tags
    }
}
