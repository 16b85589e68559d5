import BusdClient
import BusdHTTP
import BusdProtocol
import BusdSite

/// The list of games, at `/`, and each game, at `/scoreboard/ID`.
final class GamesPages: SitePages {
    private let board: GamesBoard
    private let games: SharedQuestions<Address, Result<GameValues, BusReader.Failure>>

    init(_ reader: BusReader) {
        board = GamesBoard(reader)
        games = SharedQuestions { reader.game(at: $0, $1) }
    }

    func page(at path: String, query: [String]) -> (any SitePage)? {
        switch GamesPath(path) {
        case .list: List(page: board.page)
        case .game(let game):
            Game(
                game: game, games: games,
                look: query.contains { $0.isExactly("overlay") } ? .overlay : .page)
        case nil: nil
        }
    }

    private struct List: SitePage {
        let page: SharedPage

        var address: Address? { nil }
        var stream: PageStream { .shared(page) }

        func load(for visitor: () -> Visitor, _ done: @escaping (PageAnswer) -> Void) {
            page.ask(done)
        }
    }

    private struct Game: SitePage {
        let game: Address
        let games: SharedQuestions<Address, Result<GameValues, BusReader.Failure>>
        let look: ScorePage.Look

        var address: Address? { game }
        var presence: Presence? { GamesPath.game(game).presence }
        var missing: MessagePage? { .noSuchGame }

        var stream: PageStream {
            let patterns = [Pattern(game)] + (Pattern("\(game)/*/*").map { [$0] } ?? [])
            return .requests(patterns.map { .subscribe($0, as: "browser") })
        }

        func load(for visitor: () -> Visitor, _ done: @escaping (PageAnswer) -> Void) {
            let visitor = visitor()
            games.ask(game) { [look] result in
                done(
                    result.map { game in
                        let page = ScorePage(game, look: look, scorer: Scorer(visitor, for: game))
                        return .page(page, at: "\(GamesPath.game(game.address))")
                    })
            }
        }

        func page(saying message: MessagePage) -> any Page {
            look == .overlay ? EmptyOverlay(message) : message
        }
    }
}

extension MessagePage {
    /// No view model has the address, or the pattern of the policy hides it.
    static let noSuchGame = MessagePage(
        status: 404, title: "No such game",
        text: "It may have been deleted, or not be there yet: the page tries again by itself. The "
            + "list has the newest games.", isRefreshed: true)
}
