/// A page that says why there is nothing to show, and what to do about it.
package struct MessagePage: Page {
    /// The HTTP status of the answer.
    package let status: Int
    package let title: String
    private let text: String
    package let isRefreshed: Bool
    /// The links below the text.
    private var menu: [MenuLink] = []

    /// - Parameter isRefreshed: the page may get better by itself.
    package init(status: Int, title: String, text: String, isRefreshed: Bool = false) {
        self.status = status
        self.title = title
        self.text = text
        self.isRefreshed = isRefreshed
    }

    /// The page with links.
    func linked(to menu: [MenuLink]) -> Self {
        var page = self
        page.menu = menu
        return page
    }

    /// A path without a page.
    ///
    /// - Parameter hints: where pages are.
    static func noSuchPage(_ hints: [String]) -> MessagePage {
        let places =
            hints.isEmpty
            ? "Values are at /view/ADDRESS."
            : hints.joined(separator: ". ") + ", and other values at /view/ADDRESS."
        return MessagePage(
            status: 404, title: "No such page", text: "Check the address. \(places)")
    }

    /// A page is for GET, and a tap for POST.
    static let wrongMethod = MessagePage(
        status: 405, title: "Not with this method",
        text: "Pages are for GET; /pair and /send take a POST.")

    /// No view model has the address, or a policy hides it.
    static let noSuchViewModel = MessagePage(
        status: 404, title: "No such view model",
        text:
            "It may have ended, or not be there yet: the page tries again by itself. viewctl list "
            + "shows the addresses.", isRefreshed: true)

    /// All streams are taken.
    static let tooManyBrowsers = MessagePage(
        status: 503, title: "Too many browsers",
        text: "As many pages as allowed follow already. Start busd-web with a larger --browsers.",
        isRefreshed: true)

    /// busd refuses to show the values.
    static func refused(_ reason: String) -> MessagePage {
        MessagePage(
            status: 503, title: "busd refused the request", text: reason, isRefreshed: true)
    }

    /// busd does not answer.
    static let noDaemon = MessagePage(
        status: 503, title: "busd is not there",
        text: "The page tries again every five seconds. If this lasts, start busd.",
        isRefreshed: true)

    package var body: HTML {
        """
        <main class="message"\(isRefreshed ? Reload.html(status) : nil)>
        <h1>\(title)</h1>
        <p>\(text)</p>
        <p>\(menu.html(\.title))</p>
        </main>
        """
    }
}

/// The script loads the page again as soon as the answer has another status.
package enum Reload {
    package static func html(_ status: Int) -> HTML { " data-reload=\"\(status)\"" }
}
