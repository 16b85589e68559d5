import BusdClient
import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The moves of a game. Any of them can be corrected.
final class PlaysPage: Page {
    private weak var host: (any PageHost<Step>)?
    private let game: GameViews
    private var asksToTakeOut: Plays.Row?
    private var page = 1

    init(_ game: GameViews, on host: any PageHost<Step>) {
        self.host = host
        self.game = game
        game.showParts()
        view.state.search.clear()
        view.state.find(game.content.state)
        view.state.move(by: .max / 2)
    }

    private var view: PlaysView { game.plays }

    // MARK: Keys

    func press(_ key: Key) {
        host?.changed()
        if let play = asksToTakeOut {
            asksToTakeOut = nil
            if key == .text("y") { view.takeOut(play) }
            return
        }
        if view.state.search.press(key) { return }
        guard let command = PlaysCommand(key, page: page, size: game.content.state.size) else {
            if let notice = key.unknown { host?.showNotice(notice) }
            return
        }
        let chosen = game.playsState.found.chosenRow
        switch command {
        case .step(let step): view.state.move(by: step)
        case .give(let player): if let chosen { view.change(chosen, to: player, chosen.move) }
        case .make(let move): if let chosen { view.change(chosen, to: chosen.player, move) }
        case .takeOut: asksToTakeOut = chosen
        case .search: view.state.search.open()
        case .help: host?.go(.help)
        case .back: goBack()
        case .quit: host?.go(.quit)
        }
    }

    /// Shows all plays again; else goes back.
    private func goBack() {
        if view.state.search.isEmpty { host?.go(.back) } else { view.state.search.clear() }
    }

    func touch(_ touch: Touch) {
        guard case .row(let id) = touch else { return }
        view.state.choose(id: id)
        host?.changed()
    }

    // MARK: Drawing

    var minimum: Size { PlaysPicture.minimum }

    var hints: [Hint] {
        let state = view.state
        if state.search.isOpen { return Search.hints }
        return state.all.isKnown ? PlaysHints.all(isEmpty: state.found.rows.isEmpty) : []
    }

    var question: String? {
        asksToTakeOut.map {
            "Take out \($0.move.phrase) of \(game.content.state.name($0.player))? y/n"
        }
    }

    func draw(on picture: inout Picture, in area: Area) {
        page = PlaysPicture.page(in: area)
        PlaysPicture(state: game.playsState, names: game.content.state)
            .draw(on: &picture, in: area)
    }
}
