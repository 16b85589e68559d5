import BusdClient
import BusdGamesEvents
import BusdProtocol
import BusdScreens

/// Finds the game to show if none was named: the newest that is not finished.
final class GameSearch {
    enum Result {
        case found(Address)
        /// There is none, and the search goes on. The rows are all games.
        case none([Games.Row])
        case refused(WireError)
    }

    private let viewModel: RemoteViewModel<Games>
    private let view = GamesView()
    private let takesFinished: Bool
    private let completion: (Result) -> Void
    private var hasReportedNone = false

    init(_ connection: BusConnection, takesFinished: Bool, _ completion: @escaping (Result) -> Void)
    {
        self.takesFinished = takesFinished
        self.completion = completion
        viewModel = RemoteViewModel(connection, at: .literal("games"), as: "games")
        viewModel.onUpdate = { [weak self] in self?.look() }
        viewModel.onRefused = { completion(.refused($0)) }
        view.bind(with: viewModel)
    }

    private func look() {
        guard view.list.isKnown else { return }
        if let game = view.list.newest(orFinished: takesFinished),
            let address = Address(game.address)
        {
            completion(.found(address))
        } else if !hasReportedNone {
            hasReportedNone = true
            completion(.none(view.list.rows))
        }
    }
}
