import BusdClient
import BusdEventLoop
import BusdOptions
import BusdProtocol
import BusdScreens

/// A run of `viewctl watch --format`. It may use several connections, one after the other.
final class Formatting {
    private let watch: Watch
    private let format: Format
    private let connection: BusConnection
    private let console: Console
    private var follower: Follower?
    private var line: String?
    private var printed: String?
    private var printedAt: Instant?
    /// The next line is printed then.
    private var next: ScheduledAction?
    private var left: Int?
    private var hasReportedLoss = false
    private var status: ExitStatus?

    init(_ watch: Watch, _ format: Format, _ connection: BusConnection, _ console: Console) {
        (self.watch, self.format) = (watch, format)
        (self.connection, self.console) = (connection, console)
        left = watch.count
        guard let address = watch.patterns[0].address else { return }
        follower = Follower(
            address, format.paths.map { Condition($0) }, as: watch.viewName ?? "format",
            on: connection
        ) { [weak self] in self?.received($0) }
    }

    /// - Parameter timeout: zero is without limit.
    func run(within timeout: Duration) -> ExitStatus {
        // The line that waits for its time is the last one.
        defer { if next != nil { printLine() } }
        return connection.run(within: timeout, console) { status }
    }

    private func end(_ status: ExitStatus, _ message: String? = nil) {
        guard self.status == nil else { return }
        if let message { console.writeError("viewctl: \(message)") }
        self.status = status
    }

    private func received(_ event: Follower.Event) {
        guard status == nil else { return }
        switch event {
        case .state(let state):
            hasReportedLoss = false
            show(format.text(of: state))
        case .missing where format.away == nil:
            end(.refused, "there is no view model \(watch.patterns[0])")
        case .gone where format.away == nil: end(.gone, "\(watch.patterns[0]) is gone")
        case .missing, .gone: show(format.awayText)
        case .lost(let loss): lost(loss)
        case .refused(let error):
            console.writeError(refusal(error))
            end(ExitStatus(refusedWith: error.code))
        case .unfit(let problem):
            console.writeError("viewctl watch: \(problem)")
            end(.usage)
        }
    }

    private func lost(_ loss: Loss) {
        if loss.isHopeless { return end(ExitStatus(loss), loss.advice) }
        // polybar shows standard error, too.
        if let text = format.awayText { return show(text) }
        if !hasReportedLoss { console.writeError("viewctl: \(loss); trying again") }
        hasReportedLoss = true
    }

    // MARK: Lines

    private func show(_ text: String?) {
        guard let text else { return }
        line = text
        guard next == nil else { return }
        let now = connection.loop.clock.now
        let due = printedAt.map { $0 + format.every } ?? now
        guard due > now else { return printLine() }
        next = connection.loop.clock.schedule(at: due) { [weak self] in self?.printLine() }
    }

    private func printLine() {
        next = nil
        guard let line, line != printed else { return }
        printed = line
        printedAt = connection.loop.clock.now
        console.put(lines: [line])
        guard let left else { return }
        self.left = left - 1
        if left == 1 { end(.done) }
    }
}
