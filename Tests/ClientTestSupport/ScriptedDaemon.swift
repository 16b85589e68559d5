package import BusdClient
import BusdEventLoop
import BusdProtocol
import Glibc
import TestSupport

/// A daemon with one script for each connection: it sends the lines of the script, then waits or
/// closes. After the last script it refuses connections.
package final class ScriptedDaemon {
    package struct Script {
        let lines: [String]
        let closes: Bool

        package init(lines: [String], closes: Bool = false) {
            (self.lines, self.closes) = (lines, closes)
        }
    }

    /// The number of attempts to connect that find the backlog full.
    package var fullAttempts = 0
    private var scripts: [Script]
    private var far: [Descriptor] = []

    package init(_ scripts: Script...) { self.scripts = scripts }

    private func dial() -> Connecting {
        fullAttempts -= 1
        if fullAttempts >= 0 { return .backlogFull }
        guard !scripts.isEmpty, let ends = try? socketPair() else {
            return .failed(SystemError(code: ECONNREFUSED, function: "connect"))
        }
        let script = scripts.removeFirst()
        ends.far.write(script.lines.map { $0 + "\n" }.joined())
        if script.closes { ends.far.shutDownOutput() }
        far.append(ends.far)
        return .connected(ends.near)
    }

    /// The requests of each connection.
    package func requests() -> [[String]] { far.map { $0.readLines() } }

    /// - Parameter longest: a timer with a longer span never fires.
    package func connection(name: String? = nil, longest: Duration? = nil) throws -> BusConnection {
        let loop = try Loop()
        let clientLoop = ClientLoop(loop: loop, clock: FakeClock(loop, longest))
        return BusConnection(loop: clientLoop, paths: ["/bus"], name: name) { _ in self.dial() }
    }

    package func session(
        name: String? = nil, longest: Duration? = nil, _ patience: Session.Patience = .forReturn,
        within limit: Duration = .zero
    ) throws -> Session {
        Session(try connection(name: name, longest: longest), patience, within: .total(limit))
    }
}

/// A clock that fires every timer at once, in the order in which they are due.
private final class FakeClock: Clock {
    private let timeline = Timeline()
    private var alarm: LoopTimer?
    private let longest: Duration?

    init(_ loop: Loop, _ longest: Duration?) {
        self.longest = longest
        alarm = LoopTimer(loop: loop) { [weak self] in self?.fire() }
    }

    var now: Instant { timeline.now }

    func schedule(at instant: Instant, _ action: @escaping () -> Void) -> ScheduledAction {
        if let longest, instant - now > longest { return ScheduledAction {} }
        alarm?.arm(afterMicroseconds: 0)
        return timeline.schedule(at: instant, action)
    }

    private func fire() {
        guard let due = timeline.nextDue else { return }
        timeline.move(to: due)
        _ = timeline.fireNext()
        alarm?.arm(afterMicroseconds: 0)
    }
}
