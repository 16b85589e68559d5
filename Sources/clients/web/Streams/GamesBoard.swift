import BusdClient
import BusdProtocol

/// The newest games, as the first page shows them, and the streams that follow them.
final class GamesBoard: View {
    /// Games on the first page.
    static let most = 50

    let output = Output<Games.ViewEvent>()
    /// The newest games that are not deleted. Nil while busd does not show its list.
    private(set) var newest: [Games.Row]?
    /// `newest` as the line of an event; empty if there is none.
    private(set) var line: [UInt8] = []
    private let remote: RemoteViewModel<Games>
    private var rows: [Games.Row] = []
    private var watchers: [ObjectIdentifier: () -> Void] = [:]

    init(_ connection: BusConnection) {
        remote = RemoteViewModel(connection, at: .literal("games"), as: "list")
        remote.onUpdate = { [weak self] in self?.show() }
        remote.onLiveChanged = { [weak self] _ in self?.show() }
        bind(with: remote)
    }

    func handle(event: Games.ViewModelEvent) {
        switch event {
        case .games(let games): rows = games
        case .gamesEdited(let edits): _ = rows.apply(edits)
        case .created: break
        }
    }

    /// Calls `changed` after each change of `newest`, until `unwatch`.
    func watch(_ watcher: AnyObject, _ changed: @escaping () -> Void) {
        watchers[ObjectIdentifier(watcher)] = changed
    }

    func unwatch(_ watcher: AnyObject) { watchers[ObjectIdentifier(watcher)] = nil }

    private func show() {
        let shown = rows.lazy.filter { !$0.isDeleted }.prefix(Self.most)
        let newest = remote.isLive ? Array(shown) : nil
        guard newest != self.newest else { return }
        self.newest = newest
        line = newest.map(Self.line) ?? []
        for changed in watchers.values { changed() }
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
