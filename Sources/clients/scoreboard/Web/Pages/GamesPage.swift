import BusdGamesEvents
import BusdProtocol
import BusdSite

/// The list of games, newest first.
struct GamesPage: Page {
    /// The most games that the page shows.
    static let most = 50

    private let rows: [Games.Row]

    /// Leaves out deleted games, and those after the newest 50.
    init(rows: [Games.Row]) { self.rows = Self.newest(of: rows) }

    /// The rows that the page shows.
    static func newest(of rows: [Games.Row]) -> [Games.Row] {
        Array(rows.lazy.filter { !$0.isDeleted }.prefix(most))
    }

    let title = "Games"

    // The list has no space in it if it is empty, so that the style sheet can tell.
    var body: HTML {
        """
        <main class="games" data-from="games" data-stream="/"\
        \(Self.rowsModule)>
        <h1>Games</h1>
        <ol data-list="games.games">\(rows.map(row))</ol>
        <p class="none">No games yet. A new game appears here.</p>
        <template>\(row(nil))</template>
        \(Notices.html(gone: nil))
        </main>
        """
    }

    /// A row of the list. Without a game it is the template from which the script makes rows.
    private func row(_ game: Games.Row?) -> HTML {
        // A text that is no address, such as `/elsewhere.example`, is no link either.
        let address = game.flatMap { Address($0.address)?.text }
        return """
            <li data-state="\(game?.status.rawValue)"><a href="./\(address)">\
            <bdi data-field="home">\(game?.home)</bdi> \
            <b data-field="score">\(game?.score)</b> \
            <bdi data-field="away">\(game?.away)</bdi> \
            <span data-field="status">\(game?.status.rawValue)</span></a></li>
            """
    }
}
