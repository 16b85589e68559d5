import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens

/// A run of `viewctl watch --format`. It may use several connections, one after the other.
final class Formatting {
    private let watch: Watch
    private let format: Format
    private let session: Session
    private let console: Console
    private var follower: Follower?
    private var line: String?
    private var printed: String?
    private var printedAt: Instant?
    /// The next line is printed then.
    private var next: ScheduledAction?
    private var left: Int?

    init(_ watch: Watch, _ format: Format, _ session: Session, _ console: Console) {
        (self.watch, self.format) = (watch, format)
        (self.session, self.console) = (session, console)
        left = watch.count
        guard let address = watch.patterns[0].address else { return }
        follower = Follower(
            address, format.paths.map { Condition($0) }, as: watch.viewName ?? "format",
            in: session, unfit: { console.misfit(Watch.name, $0) }
        ) { [weak self] in self?.received($0) }
        session.lost = { [weak self] loss in
            // polybar shows standard error, too.
            guard let text = format.awayText else { return console.note("\(loss); trying again") }
            self?.show(text)
        }
    }

    func run() throws -> ExitStatus {
        // The line that waits for its time is the last one.
        defer { if next != nil { printLine() } }
        return try session.run(console)
    }

    private func received(_ event: Follower.Event) {
        switch event {
        case .state(let state):
            session.isAway = false
            show(format.text(of: state))
        case .missing where format.away == nil:
            session.end(Outcome(.refused, "there is no view model \(watch.patterns[0])"))
        case .gone where format.away == nil:
            session.end(Outcome(.gone, "\(watch.patterns[0]) is gone"))
        case .missing, .gone: show(format.awayText)
        }
    }

    // MARK: Lines

    private func show(_ text: String?) {
        guard let text else { return }
        line = text
        guard next == nil else { return }
        let clock = session.connection.loop.clock
        let due = printedAt.map { $0 + format.every } ?? clock.now
        guard due > clock.now else { return printLine() }
        next = clock.schedule(at: due) { [weak self] in self?.printLine() }
    }

    private func printLine() {
        next = nil
        guard let line, line != printed else { return }
        printed = line
        printedAt = session.connection.loop.clock.now
        console.put(lines: [line])
        guard let left else { return }
        self.left = left - 1
        if left == 1 { session.end(Outcome.done) }
    }
}
