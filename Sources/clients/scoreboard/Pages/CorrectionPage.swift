import BusdClient
import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// Corrects the names and the clock of a game.
final class CorrectionPage: Page {
    private weak var host: (any PageHost<Step>)?
    private let game: GameViews
    /// Sends the corrections. Their answers belong to this page.
    private let viewModel: RemoteViewModel<Scoreboard>
    private var form: CorrectionForm
    private var unanswered = 0

    init(_ game: GameViews, on host: any PageHost<Step>) {
        self.host = host
        self.game = game
        game.showParts()
        form = CorrectionForm(game.container.state, game.content.state)
        viewModel = RemoteViewModel(game.connection, at: game.address)
        viewModel.onHandled = { [weak self] in self?.made($0) }
        viewModel.onRefused = { [weak self] in self?.notMade("refused: \($0.message)") }
        viewModel.onUnsent = { [weak self] in self?.notMade("\($0.name) was not sent") }
        viewModel.onUnanswered = { [weak self] in self?.notMade($0.withoutAnswer) }
    }

    private func made(_ event: Scoreboard.ViewEvent) {
        form.made(event, setting: game.container.state.setting)
        unanswered -= 1
        if unanswered == 0 { host?.go(.back) }
    }

    /// The page stays, also after the answers to the others.
    private func notMade(_ notice: String) {
        unanswered = 0
        host?.showNotice(notice)
    }

    // MARK: Keys

    func press(_ key: Key) {
        host?.changed()
        switch CreatorCommand(key) {
        case .nextField: form.moveFocus(by: 1)
        case .previousField: form.moveFocus(by: -1)
        case .confirm: send()
        case .back: host?.go(.back)
        case .edit(let key): form.edit(key)
        }
    }

    private func send() {
        do {
            let events = try form.events()
            unanswered = events.count
            if events.isEmpty { host?.go(.back) }
            for event in events { viewModel.handle(event: event) }
        } catch {
            host?.showNotice("the name \(error.text)")
        }
    }

    func touch(_ touch: Touch) {
        guard case .field(let index) = touch else { return }
        form.focus(on: index)
        host?.changed()
    }

    // MARK: Drawing

    var minimum: Size { CorrectionPicture.minimum(size: form.size) }

    var hints: [Hint] {
        [
            Hint("enter", "correct", .enter), Hint("tab", "next", .tab, rank: 1),
            Hint("esc", "back without a change", .escape),
        ]
    }

    func draw(on picture: inout Picture, in area: Area) {
        CorrectionPicture(form: form).draw(on: &picture, in: area)
    }
}
