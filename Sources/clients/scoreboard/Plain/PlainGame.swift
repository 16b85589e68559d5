import BusdClient
import BusdProtocol
import BusdScreens
import BusdTerminal

/// Prints a game: its state once, or a line after each change.
final class PlainGame {
    private let settings: Settings
    private let viewModel: RemoteViewModel<Scoreboard>
    private let container = ContainerView()
    private let content: ContentView
    private let plays = PlaysView()
    private let playsModel: RemoteViewModel<Plays>?
    /// A daemon of an earlier version has no plays.
    private var hasPlays = true
    private var hasParts = false
    private var printed: Set<String> = []
    private let run: PlainRun

    init(_ address: Address, _ run: PlainRun, _ settings: Settings) {
        self.settings = settings
        self.run = run
        let connection = run.connection
        viewModel = RemoteViewModel(connection, at: address, as: settings.parts?.rawValue)
        playsModel = address.appending("plays").map { RemoteViewModel(connection, at: $0) }
        let relay = Relay()
        content = ContentView { player in
            let viewModel = RemoteViewModel<Player>(connection, at: player, as: "player")
            viewModel.onUpdate = { relay.changed?() }
            viewModel.onLiveChanged = { _ in relay.changed?() }
            return viewModel
        }
        relay.changed = { [weak self] in self?.changed() }
        viewModel.onUpdate = relay.changed
        viewModel.onLiveChanged = { _ in relay.changed?() }
        viewModel.onGone = { [weak run] in run?.end(.gone("the game is no longer there")) }
        viewModel.onRefused = { [weak run] in run?.end(.refused($0.about(address))) }
        playsModel?.onLiveChanged = { _ in relay.changed?() }
        playsModel?.onRefused = { [weak self] _ in
            self?.hasPlays = false
            relay.changed?()
        }
        container.bind(with: viewModel)
        if settings.parts == .content { content.bind(with: viewModel) }
    }

    /// Players' view models are created by `content`, which is created before `self` can be
    /// captured.
    private final class Relay {
        var changed: (() -> Void)?
    }

    private var isComplete: Bool {
        viewModel.isLive && (settings.parts != .content || content.isLive)
            && (!hasParts || content.isLive && (!hasPlays || playsModel?.isLive != false))
    }

    /// `--once` shows all of a finished game.
    private func showParts() {
        guard !hasParts, viewModel.isLive, container.state.isFinished else { return }
        guard settings.parts == nil else { return }
        hasParts = true
        content.bind(with: viewModel)
        if let playsModel { plays.bind(with: playsModel) }
    }

    private func changed() {
        if settings.isOnce {
            showParts()
            if isComplete { printOnce() }
            return
        }
        guard container.state.isKnown else { return }
        let lines = settings.parts == .content ? content.state.lines : [container.state.line]
        for line in lines where !printed.contains(line) {
            guard PlainOutput.standard.line(line) else { return run.end(.afterFailedWrite()) }
        }
        printed = Set(lines)
        if isComplete { run.hasValues() }
        if settings.isUntilFinished, container.state.isFinished { run.end(.done) }
    }

    private func printOnce() {
        let text = GameText(
            container: container.state, content: content.state, parts: settings.parts,
            plays: plays.state.all
        ).text
        run.end(PlainOutput.standard.write(text) ? .done : .afterFailedWrite())
    }
}
