package import BusdClient
import BusdProtocol
import BusdTerminal

/// A program with a screen: its pages, the keys and the connection, on one loop.
package final class Interface<Destination> {
    let loop: ClientLoop
    var screen: Screen?
    private let connection: BusConnection
    private let router: any Router<Destination>
    private var pages: Pages?
    private var picture = Picture(Size(columns: 0, rows: 0))
    private var notice: String?
    private var nextDrawing: ScheduledAction?
    private var outcome = Outcome.done

    private init(_ connection: BusConnection, _ router: any Router<Destination>) {
        loop = connection.loop
        self.connection = connection
        self.router = router
    }

    /// Shows the pages until the user quits, or `end` is called.
    ///
    /// - Parameter limit: zero: none.
    /// - Throws: `ScreenError` if the terminal cannot show a screen. The connection is not open
    ///   then.
    package static func show(
        _ router: any Router<Destination>, _ connection: BusConnection,
        within limit: Duration = .zero
    ) throws -> Outcome {
        let screen = try Screen()
        connection.becomeQuiet()
        let interface = Interface(connection, router)
        let deadline =
            limit == .zero
            ? nil : connection.loop.clock.schedule(after: limit) { interface.end(.timedOut) }
        return try withExtendedLifetime(deadline) { try interface.run(on: screen) }
    }

    private func run(on screen: Screen) throws -> Outcome {
        self.screen = screen
        defer { self.screen = nil }
        let watches = try watchSignals() + [watchKeys(of: screen)]
        connection.listen(self) { interface, event in
            if case .line = event { return }
            interface.changed()
        }
        pages = Pages(router.firstPage(on: self))
        connection.open()
        changed()
        withExtendedLifetime(watches) { loop.run() }
        connection.close()
        return outcome
    }

    // MARK: Pages

    /// Shows a page. `pop` goes back from it.
    package func push(_ page: any Page) { pages?.push(page) }

    /// Shows a page instead of all others.
    package func replace(with page: any Page) { pages?.replace(with: page) }

    /// Goes back. False if this is the first page.
    @discardableResult
    package func pop() -> Bool { pages?.pop() ?? false }

    /// The user quits.
    package func leave() { end(router.outcome) }

    package func end(_ outcome: Outcome) {
        self.outcome = outcome
        loop.stop()
    }

    // MARK: Keys

    private func watchKeys(of screen: Screen) throws(LoopFailure) -> ClientLoop.Watch {
        try loop.whenReadable(screen.inputDescriptor) { [weak self] in
            guard let self, let screen = self.screen else { return }
            guard let keys = screen.readKeys() else { return leave() }
            for key in keys { press(key) }
        }
    }

    private func press(_ key: Key) {
        // Without a connection, the status line shows how many events wait.
        if notice != nil || connection.loss != nil {
            notice = nil
            changed()
        }
        switch key {
        case .control("l"):
            screen?.repaint()
            changed()
        case .click(let point): click(point)
        // The daemon refuses a letter with more marks, and the typed text with it.
        case .paste(let text): pages?.top.press(.paste(text.streamSafe))
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
        let status = StatusLine(
            loss: connection.loss?.advice, hadConnection: connection.wasConnected,
            waiting: connection.unansweredCount, question: page.question, notice: notice,
            echo: page.echo, hints: page.hints)
        // The status line leaves the page its minimum of rows.
        let most = max(1, screen.size.rows - page.minimum.rows)
        let rows = min(max(1, status.rows(in: Area(screen.size))), most)
        let (body, bottom) = Area(screen.size).split(rows: screen.size.rows - rows)
        picture = Picture(screen.size)
        if body.size.holds(page.minimum) {
            page.draw(on: &picture, in: body)
        } else {
            drawTooSmall(page, in: body)
        }
        status.draw(on: &picture, in: bottom)
        screen.show(picture.frame)
    }

    private func drawTooSmall(_ page: any Page, in area: Area) {
        let least = "too small: \(page.minimum.columns)x\(page.minimum.rows + 1) is needed"
        picture.frame.write(page.summary, in: area, row: 0, .left, .bold)
        picture.frame.write(least, in: area, row: page.summary.isEmpty ? 0 : 1, .left, .dim)
    }
}

extension Interface: PageHost {
    /// Draws once for all changes of a turn of the loop.
    package func changed() {
        guard nextDrawing == nil else { return }
        nextDrawing = loop.clock.schedule(after: .zero) { [weak self] in
            self?.nextDrawing = nil
            self?.draw()
        }
    }

    package func showNotice(_ notice: String) {
        self.notice = notice
        changed()
    }

    package func go(_ destination: Destination) {
        changed()
        router.go(destination, on: self)
    }
}
