/// The page of a pairing link. Its script takes the secret from the fragment, which no browser
/// sends to a server, and asks for the cookie.
struct PairPage: Page {
    let title: String
    let isRefreshed = false
    private let scriptNotices: String
    private let module: Asset?
    private let menu: [MenuLink]

    init(_ uses: [PhoneUse], menu: [MenuLink]) {
        title = uses.isEmpty ? "Pair this phone" : uses.map(\.title).joined(separator: ", ")
        scriptNotices = uses.map(\.scriptNotice).joined(separator: " ")
        module = uses.first?.module
        self.menu = menu
    }

    var body: HTML {
        """
        <main class="message" data-pair="\(module?.link)">
        <h1>\(title)</h1>
        <p role="status">Pairing this phone …</p>
        <noscript><p>\(scriptNotices) Turn it on, and open the link again.</p></noscript>
        <p>\(menu.html(\.all))</p>
        </main>
        """
    }
}
