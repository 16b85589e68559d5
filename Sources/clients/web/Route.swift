import BusdProtocol

/// What is at a path of the site.
enum Route {
    case page(any SitePage)
    /// The stream of a page.
    case stream(any SitePage)
    /// A file that the pages use.
    case asset(Asset)
    /// The script under a name that stays, for pages of other people.
    case module
    /// The page that takes the secret of a link.
    case pairing
    /// Where the page sends its taps.
    case sending
}

/// Finds what is at a path.
struct Router {
    let pages: [any SitePages]
    let assets: [Asset]

    /// Nil if there is nothing at the path.
    func route(_ path: String, query: [String] = []) -> Route? {
        if path.isExactly("/pair") { return .pairing }
        if path.isExactly("/send") { return .sending }
        if path.isExactly("/page.js") { return .module }
        if let asset = assets.first(where: { $0.path.isExactly(path) }) { return .asset(asset) }
        let followed = path.rest(after: "/stream").flatMap { page(at: $0, query) }
        return followed.map { .stream($0) } ?? page(at: path, query).map { .page($0) }
    }

    private func page(at path: String, _ query: [String]) -> (any SitePage)? {
        pages.lazy.compactMap { $0.page(at: path, query: query) }.first
    }
}

extension String {
    /// The text after a beginning; nil: the text begins otherwise.
    package func rest(after beginning: String) -> String? {
        guard utf8.starts(with: beginning.utf8) else { return nil }
        return String(utf8.dropFirst(beginning.utf8.count))
    }
}
