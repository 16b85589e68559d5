/// A link to the first page of a part.
package struct MenuLink: Equatable, Sendable {
    /// `Lists`
    let title: String
    /// After a sentence: `All lists`.
    let all: String
    /// From the first page of the site.
    let path: String

    package init(_ title: String, all: String, path: String = "./") {
        (self.title, self.all, self.path) = (title, all, path)
    }
}

extension [MenuLink] {
    /// The links with a space between them.
    package func html(_ text: KeyPath<MenuLink, String>) -> HTML {
        let links = map { link -> HTML in "<a href=\"\(link.path)\">\(link[keyPath: text])</a>" }
        return links.dropFirst().reduce(links.first ?? "") { "\($0) \($1)" }
    }
}
