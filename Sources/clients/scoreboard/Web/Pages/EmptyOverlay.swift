import BusdSite

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
