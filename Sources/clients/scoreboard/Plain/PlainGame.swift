import BusdClient
import BusdGamesEvents
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
    /// False if a policy does not show the plays.
    private var hasPlays = true
    private var hasParts = false
    private var hasPlayers = false
    private var printed: Set<String> = []
    private let run: PlainRun
    private let commands: CommandQueue

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
            viewModel.onHandled = { _ in relay.answered?(nil) }
            viewModel.onRefused = { relay.answered?("refused: \($0.message)") }
            viewModel.onUnanswered = { relay.answered?($0.withoutAnswer) }
            return viewModel
        }
        commands = CommandQueue(run, isReady: { [content] in content.isLive }) {
            [container, content] in PlainCommand.step($0, container, content)
        }
        container.onCorrected = { [weak commands] in commands?.replaceAnswer(with: $0) }
        relay.changed = { [weak self] in self?.changed() }
        viewModel.onUpdate = relay.changed
        viewModel.onLiveChanged = { _ in relay.changed?() }
        viewModel.onGone = { [weak run] in run?.end(.gone("the game is no longer there")) }
        viewModel.onRefused = { [weak self] in self?.refused($0) }
        relay.answered = { [weak commands] in commands?.answered($0) }
        viewModel.onHandled = { _ in relay.answered?(nil) }
        viewModel.onUnanswered = { relay.answered?($0.withoutAnswer) }
        viewModel.onUnsent = { relay.answered?("\($0.name) was not sent") }
        playsModel?.onLiveChanged = { _ in relay.changed?() }
        playsModel?.onRefused = { [weak self] _ in
            self?.hasPlays = false
            relay.changed?()
        }
        container.bind(with: viewModel)
        hasPlayers = settings.parts == .content
        if hasPlayers { content.bind(with: viewModel) }
    }

    /// Players' view models are created by `content`, which is created before `self` can be
    /// captured.
    private final class Relay {
        var changed: (() -> Void)?
        /// With a problem, if there is one.
        var answered: ((String?) -> Void)?
    }

    private func refused(_ error: WireError) {
        guard !commands.answered("refused: \(error.message)") else { return }
        run.end(.refused(error.about("game", at: viewModel.address)))
    }

    private func execute(_ command: String) {
        if !hasPlayers { content.bind(with: viewModel) }
        hasPlayers = true
        commands.add(command)
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
        if isComplete { hasValues() }
        commands.goOn()
        if settings.isUntilFinished, container.state.isFinished { run.end(.done) }
    }

    private func hasValues() {
        if run.onCommand == nil { run.onCommand = { [weak self] in self?.execute($0) } }
        run.hasValues()
    }

    private func printOnce() {
        let text = GameText(
            container: container.state, content: content.state, parts: settings.parts,
            plays: plays.state.all
        ).text
        run.end(PlainOutput.standard.write(text) ? .done : .afterFailedWrite())
    }
}
