/// The page of a pairing link. Its script takes the secret from the fragment, which no browser
/// sends to a server, and asks for the cookie.
struct PairPage: Page {
    let title = "Keep the score"
    let isRefreshed = false

    var body: HTML {
        """
        <main class="message" data-pair="\(Assets.scoringScript.link)">
        <h1>Keep the score</h1>
        <p role="status">Pairing this phone …</p>
        <noscript><p>Scoring needs JavaScript. Turn it on, and open the link again.</p></noscript>
        <p><a href="./">All games</a></p>
        </main>
        """
    }
}
