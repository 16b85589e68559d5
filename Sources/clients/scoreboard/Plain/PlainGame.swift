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
    private var printed: Set<String> = []
    private let run: PlainRun

    init(_ address: Address, _ run: PlainRun, _ settings: Settings) {
        self.settings = settings
        self.run = run
        let connection = run.connection
        viewModel = RemoteViewModel(connection, at: address, as: settings.parts?.rawValue)
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
        viewModel.onRefused = { [weak run] in run?.end(.refused($0)) }
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
    }

    private func changed() {
        if settings.isOnce {
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
            container: container.state, content: content.state, parts: settings.parts
        ).text
        run.end(PlainOutput.standard.write(text) ? .done : .afterFailedWrite())
    }
}
