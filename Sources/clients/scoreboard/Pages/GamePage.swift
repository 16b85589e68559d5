import BusdClient
import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// Which views of a game are shown.
enum GameParts: String, CaseIterable {
    case container
    case content
    case both
}

/// A game: the container view, the content view, or the content view inside the container view.
final class GamePage: Page {
    private let parts: GameParts
    private weak var host: (any PageHost<Step>)?
    private let game: GameViews
    private var choice = PlayerChoice()
    private var running = RunningClock()
    private var corrections = Corrections()
    private(set) var echo: String?
    /// The move of another connection that `echo` shows.
    private var announced: (cause: BusEvent.Cause, move: String)?
    private var endOfEcho: ScheduledAction?

    init(_ game: GameViews, _ parts: GameParts, on host: any PageHost<Step>) {
        self.parts = parts
        self.host = host
        self.game = game
        let (viewModel, container) = (game.viewModel, game.container)
        viewModel.onUpdate = { [weak self] in self?.updated() }
        viewModel.onLiveChanged = { [weak self] in self?.liveChanged($0) }
        viewModel.onAnswered = { [weak self, weak container] in
            container?.answered($0)
            self?.sendCorrections()
        }
        viewModel.onUnanswered = { [weak self, weak container] in
            container?.answered($0)
            self?.failed($0.withoutAnswer)
        }
        viewModel.onGone = { [weak host] in host?.go(.gone) }
        viewModel.onRefused = { [weak self] in self?.refused($0) }
        game.scorekeepers.onChanged = { [weak self] in self?.keepersChanged() }
        game.onMoveAnswered = { [weak self] in self?.sendCorrections() }
        container.onScored = { [weak self] in self?.announce("made it \($0)") }
        container.onCorrected = { [weak self] in self?.corrected($0) }
        if parts != .container { game.showParts() }
    }

    private var state: ContainerState {
        var state = game.container.state
        if !game.viewModel.isLive { state.waiting = game.container.unanswered }
        return state
    }

    private var now: Instant { game.connection.loop.clock.now }

    private func updated() {
        if game.viewModel.isLive { running.observe(state, at: now) }
        host?.changed()
    }

    private func liveChanged(_ isLive: Bool) {
        if !isLive, !corrections.isEmpty { failed("a correction was not sent") }
        // `hello` is answered by now, so the connection knows whether it may send.
        if isLive, parts != .container { game.scorekeepers.start() }
        updated()
    }

    private func refused(_ error: WireError) {
        if state.isKnown {
            failed("refused: \(error.message)")
        } else {
            host?.go(.refused(error))
        }
    }

    private func failed(_ notice: String) {
        corrections.forget()
        show(nil)
        host?.showNotice(notice)
    }

    private func corrected(_ text: String) {
        if !announce(text) { show(text, for: .seconds(5)) }
    }

    /// Shows a move of another connection: `bob made it 3 - 2`. False: it is of this connection, or
    /// was made while this client was away.
    @discardableResult
    private func announce(_ move: String) -> Bool {
        guard game.viewModel.isLive, let cause = game.viewModel.cause,
            let name = game.scorekeepers.name(of: cause)
        else { return false }
        show("\(name) \(move)", for: .seconds(5))
        announced = (cause, move)
        return true
    }

    /// busd reports a new connection a moment after its first move.
    private func keepersChanged() {
        if let announced, let name = game.scorekeepers.name(of: announced.cause) {
            echo = "\(name) \(announced.move)"
        }
        host?.changed()
    }

    // MARK: Keys

    func press(_ key: Key) {
        guard let command = GameCommand(key, chosen: choice, size: game.content.state.size) else {
            return reject(key)
        }
        switch command {
        case .choose(let choice): choose(choice)
        case .make(let move): make(move)
        case .startOrPause:
            game.container.startOrPause()
            host?.changed()
        case .undo: correct(.undo)
        case .redo: correct(.redo)
        case .moveClock(let seconds): correct(.moveClock(seconds))
        case .catchUp:
            guard let time = caughtUp else { return reject(key) }
            correct(.startClock(time))
        case .plays: host?.go(.plays)
        case .correct: host?.go(.correct)
        case .games: host?.go(.games)
        case .create: host?.go(.create)
        case .help: host?.go(.help)
        case .back: host?.go(.back)
        case .quit: host?.go(.quit)
        }
    }

    private func reject(_ key: Key) {
        if let notice = key.unknown { host?.showNotice(notice) }
    }

    private func make(_ move: Move) {
        guard parts != .container, let view = game.content.view(of: choice) else { return }
        if state.isFinished { return show("the game is over: this counts no more") }
        view.make(move)
        show("\(move.phrase) of \(view.state.name)")
    }

    /// Sends a correction, after the answers to earlier keys. Without a connection it is sent at
    /// once: it names what is shown now, and nothing newer.
    private func correct(_ correction: Correction) {
        guard game.viewModel.isLive else { return game.container.correct(correction) }
        corrections.add(correction)
        sendCorrections()
    }

    private func sendCorrections() {
        guard game.connection.unansweredCount == 0, let next = corrections.next() else { return }
        game.container.correct(next)
    }

    func touch(_ touch: Touch) {
        if case .field(let number) = touch,
            let choice = PlayerChoice(number: number, size: game.content.state.size)
        {
            choose(choice)
        }
    }

    private func choose(_ choice: PlayerChoice) {
        self.choice = choice
        host?.changed()
    }

    /// Shows what has just been done.
    private func show(_ echo: String?, for span: Duration = .seconds(2)) {
        self.echo = echo
        announced = nil
        endOfEcho = game.connection.loop.clock.schedule(after: span) { [weak self] in
            self?.echo = nil
            self?.announced = nil
            self?.host?.changed()
        }
        host?.changed()
    }

    // MARK: Drawing

    var minimum: Size {
        switch parts {
        case .container: ContainerPicture.minimum
        case .content: ContentPicture.minimum(size: game.content.state.size)
        case .both: Size(columns: 40, rows: 11)
        }
    }

    var summary: String { state.isKnown ? state.line : "" }

    var hints: [Hint] { state.isKnown ? GameHints.all(state) : [] }

    private var caughtUp: String? { running.time(of: state, at: now) }

    /// After a restart that has stopped the clock.
    private var stop: String? {
        guard state.wasStopped, let stopped = state.stopped else { return nil }
        let time = LocalTime(seconds: stopped).time
        let offer = caughtUp.map { ": b starts it at \($0)" } ?? ""
        return "the clock was stopped by a restart at \(time)\(offer)"
    }

    func draw(on picture: inout Picture, in area: Area) {
        guard state.isKnown else {
            let row = area.rows / 2
            return picture.frame.write(
                "Waiting for game \(game.address.name)…", in: area, row: row, .center, .dim)
        }
        GamePicture(
            parts: parts, container: state, content: game.content.state, choice: choice,
            plays: game.plays.state.all, stop: stop, scorekeepers: game.scorekeepers.text(at: .now)
        ).draw(on: &picture, in: area)
    }
}
