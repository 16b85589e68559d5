import BusdGamesEvents

/// A page that says why there is nothing to show, and what to do about it.
struct MessagePage: Page {
    struct Link {
        var text: String
        /// From the first page of this site.
        var path: String

        static let games = Link(text: "Games", path: "./")
    }

    /// The HTTP status of the answer.
    let status: Int
    let title: String
    let text: String
    let link: Link
    let isRefreshed: Bool

    /// - Parameter isRefreshed: the page may get better by itself.
    init(
        status: Int, title: String, text: String, link: Link = .games, isRefreshed: Bool = false
    ) {
        self.status = status
        self.title = title
        self.text = text
        self.link = link
        self.isRefreshed = isRefreshed
    }

    /// No view model has the address, or the pattern of the policy hides it.
    static let noSuchGame = MessagePage(
        status: 404, title: "No such game",
        text: "It may have been deleted, or not be there yet: the page tries again by itself. The "
            + "list has the newest games.", isRefreshed: true)

    /// Any other path without a page.
    static let noSuchPage = MessagePage(
        status: 404, title: "No such page",
        text: "Check the address. A game is at /scoreboard/1, and other values at /view/ADDRESS.")

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

    var body: HTML {
        """
        <main class="message"\(isRefreshed ? Reload.html(status) : nil)>
        <h1>\(title)</h1>
        <p>\(text)</p>
        <p><a href="\(link.path)">\(link.text)</a></p>
        </main>
        """
    }
}

/// An overlay without a game: a video shows nothing of it.
struct EmptyOverlay: Page {
    let title: String
    let colorScheme = "light"
    private let status: Int

    /// - Parameter message: what the page would say outside of a video.
    init(_ message: MessagePage) { (title, status) = (message.title, message.status) }

    var links: HTML? { ScorePage.overlayLink }

    var body: HTML { "<main class=\"overlay\"\(Reload.html(status))></main>" }
}

/// The script loads the page again as soon as the answer has another status.
private enum Reload {
    static func html(_ status: Int) -> HTML { " data-reload=\"\(status)\"" }
}
