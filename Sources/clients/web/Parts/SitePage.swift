package import BusdHTTP
package import BusdProtocol

/// The pages of a part, by their paths.
package protocol SitePages {
    /// Nil: the part has no page at the path, so another part may have one.
    ///
    /// - Parameter query: the parameters of the request, such as `overlay`.
    func page(at path: String, query: [String]) -> (any SitePage)?
}

/// A page at one path: what it shows, and what it follows.
package protocol SitePage {
    /// The view model that it shows; nil: it shows several.
    ///
    /// If a phone has several pairings, the one that covers this address counts.
    var address: Address? { get }
    /// How busd lists a phone that follows the page; nil: it does not.
    var presence: Presence? { get }
    /// What brings the values after those that the page has.
    var stream: PageStream { get }
    /// The page if busd does not show the view model; nil: the site has no such page.
    var missing: MessagePage? { get }

    /// Calls `done` once, now or later.
    ///
    /// - Parameter visitor: reads the files of pairings, so only a page for phones calls it.
    func load(for visitor: () -> Visitor, _ done: @escaping (PageAnswer) -> Void)

    /// The page in its place that says why there are no values.
    func page(saying message: MessagePage) -> any Page
}

extension SitePage {
    package var presence: Presence? { nil }
    package var missing: MessagePage? { nil }
    package func page(saying message: MessagePage) -> any Page { message }
}

/// What busd has for a page.
package typealias PageAnswer = Result<HTTPResponse, BusReader.Failure>
