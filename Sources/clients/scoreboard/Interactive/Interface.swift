import BusClient
import Protocol
import Terminal

/// The program on a screen: pages, keys and the daemon, on one loop.
final class Interface {
    private let settings: Settings
    let loop: ClientLoop
    private let connection: BusConnection
    var screen: Screen?
    private var pages: Pages?
    private var picture = Picture(Size(columns: 0, rows: 0))
    private var notice: String?
    private var nextDrawing: Timer?
    private var outcome = Outcome.done

    init(_ settings: Settings, _ loop: ClientLoop) {
        self.settings = settings
        self.loop = loop
        connection = BusConnection(loop: loop, path: settings.socket, name: "scoreboard")
    }

    /// Runs until the person has had enough.
    func run(on screen: Screen) throws -> Outcome {
        self.screen = screen
        defer { self.screen = nil }
        let watches = try watchSignals() + [watchKeys(of: screen)]
        connection.listen(self) { interface, event in
            if case .line = event { return }
            interface.changed()
        }
        pages = Pages(firstPage)
        connection.open()
        changed()
        withExtendedLifetime(watches) { loop.run() }
        connection.close()
        return outcome
    }

    private var firstPage: any Page {
        settings.game.map(gamePage) ?? GamesPage(connection, opensNewest: true, on: self)
    }

    private func gamePage(_ address: Address) -> any Page {
        GamePage(address, connection, settings.parts ?? .both, on: self)
    }

    func end(_ outcome: Outcome) {
        self.outcome = outcome
        loop.stop()
    }

    // MARK: Keys

    private func watchKeys(of screen: Screen) throws(LoopFailure) -> ClientLoop.Watch {
        try loop.whenReadable(screen.inputDescriptor) { [weak self] in
            guard let self, let screen = self.screen else { return }
            guard let keys = screen.readKeys() else { return end(.done) }
            for key in keys { press(key) }
        }
    }

    private func press(_ key: Key) {
        // While the daemon is away, how much waits for it is counted.
        if notice != nil || connection.loss != nil {
            notice = nil
            changed()
        }
        switch key {
        case .control("l"):
            screen?.repaint()
            changed()
        case .click(let point): click(point)
        default: pages?.top.press(key)
        }
    }

    private func click(_ point: Point) {
        switch picture.touch(at: point) {
        case .key(let key): pages?.top.press(key)
        case let touch?: pages?.top.touch(touch)
        case nil: break
        }
    }

    // MARK: Drawing

    private func draw() {
        guard let screen, let page = pages?.top else { return }
        let (body, bottom) = Area(screen.size).split(rows: screen.size.rows - 1)
        picture = Picture(screen.size)
        if body.size.holds(page.minimum) {
            page.draw(on: &picture, in: body)
        } else {
            drawTooSmall(page, in: body)
        }
        let status = StatusLine(
            loss: connection.loss?.description, waiting: connection.unansweredCount,
            question: page.question, notice: notice, hints: page.hints)
        status.draw(on: &picture, in: bottom)
        screen.show(picture.frame)
    }

    private func drawTooSmall(_ page: any Page, in area: Area) {
        let least = "too small: \(page.minimum.columns)x\(page.minimum.rows + 1) is needed"
        picture.frame.write(page.summary, in: area, row: 0, .left, .bold)
        picture.frame.write(least, in: area, row: page.summary.isEmpty ? 0 : 1, .left, .dim)
    }
}

extension Interface: Stage {
    /// All that changes in a turn of the loop is drawn at once.
    func changed() {
        guard nextDrawing == nil else { return }
        nextDrawing = loop.clock.schedule(after: .zero) { [weak self] in
            self?.nextDrawing = nil
            self?.draw()
        }
    }

    func say(_ notice: String) {
        self.notice = notice
        changed()
    }

    func go(_ step: Step) {
        changed()
        switch step {
        case .open(let address): pages?.replace(with: gamePage(address))
        case .games: pages?.push(GamesPage(connection, on: self))
        case .create: pages?.push(CreatorPage(settings.draft, connection, on: self))
        case .help: pages?.push(HelpPage(on: self))
        case .back: _ = pages?.pop()
        case .quit: end(.done)
        case .gone: replace(with: "the game is no longer there")
        case .refused(let error): refused(error)
        }
    }

    private func refused(_ error: WireError) {
        if settings.game != nil { return end(.refused(error.message)) }
        replace(with: "refused: \(error.message)")
    }

    private func replace(with notice: String) {
        pages?.replace(with: GamesPage(connection, on: self))
        say(notice)
    }
}
