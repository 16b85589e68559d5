import BusdClient
import BusdGamesEvents
import BusdProtocol
import BusdSite

/// The newest games, as the first page shows them.
final class GamesBoard: View {
    let output = Output<Games.ViewEvent>()
    let page: SharedPage
    private let remote: RemoteViewModel<Games>
    private var rows: [Games.Row] = []

    init(_ reader: BusReader) {
        page = SharedPage(reader)
        remote = RemoteViewModel(reader.connection, at: .literal("games"), as: "list")
        remote.onUpdate = { [weak self] in self?.show() }
        remote.onLiveChanged = { [weak self] _ in self?.show() }
        remote.onRefused = { [page] in page.refuse($0) }
        page.subscribe = { [weak remote] in remote?.start() }
        bind(with: remote)
    }

    func handle(event: Games.ViewModelEvent) {
        switch event {
        case .games(let games): rows = games
        case .gamesEdited(let edits): _ = rows.apply(edits)
        case .created: break
        }
    }

    private func show() {
        guard remote.isLive else { return page.hide() }
        let newest = GamesPage.newest(of: rows)
        page.show(Self.line(newest)) { .page(GamesPage(rows: newest), at: "/") }
    }

    private static func line(_ games: [Games.Row]) -> [UInt8] {
        var json = JSONWriter()
        json.object { out in
            out.member("from", Games.name)
            out.member("event", Games.ViewModelEvent.games(games: games))
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }
}
