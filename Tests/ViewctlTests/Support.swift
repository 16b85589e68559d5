import BusdOptions
import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdClient
@testable import BusdEventLoop
@testable import viewctl

let plain = TextStyle(isColoured: false)
let coloured = TextStyle(isColoured: true)

func json(_ text: String) throws -> JSONValue {
    let document = JSONDocument()
    try document.read(Array(text.utf8), limits: BusLine.limits)
    return try #require(document.root)
}

/// The arguments of a command line. Throws unless the line runs a verb.
func arguments(_ words: String...) throws -> Arguments { try arguments(words) }

func arguments(_ words: [String]) throws -> Arguments {
    guard case .run(let arguments) = try Viewctl.program.parse(words) else { throw NotRun() }
    return arguments
}

struct NotRun: Error {}

/// The message of a usage error.
func usageMessage<Value>(_ body: () throws -> Value) -> String? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? UsageError)?.description.split(separator: "\n").first.map(String.init)
    }
}

/// Standard output and standard error as pipes, read after the run.
final class OutputFixture {
    let console: Console
    private let output: Descriptor
    private let errors: Descriptor
    private var inputs: [Descriptor]

    init() throws {
        let (output, first) = try openPipe()
        let (errors, second) = try openPipe()
        self.output = output
        self.errors = errors
        inputs = [first, second]
        console = Console(output: first.number, errors: second.number)
    }

    func takeOutput() -> [String] { output.readLines() }

    func takeErrors() -> [String] { errors.readLines() }
}

/// A daemon with one script for each connection: it sends the lines of the script, then waits or
/// closes. After the last script it refuses connections.
final class FakeDaemon {
    struct Script {
        var lines: [String]
        var closes = false
    }

    /// The number of attempts to connect that find the backlog full.
    var fullAttempts = 0
    private var scripts: [Script]
    private var far: [Descriptor] = []

    init(_ scripts: Script...) { self.scripts = scripts }

    func dial() -> Connecting {
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
    func requests() -> [[String]] { far.map { $0.readLines() } }

    /// - Parameter longest: a timer with a longer span never fires.
    func connection(name: String? = nil, longest: Duration? = nil) throws -> BusConnection {
        let loop = try Loop()
        let clientLoop = ClientLoop(loop: loop, clock: FakeClock(loop, longest))
        return BusConnection(loop: clientLoop, path: "/bus", name: name, dial: dial)
    }

    func session(
        name: String? = nil, longest: Duration? = nil, _ patience: Session.Patience = .forReturn,
        within limit: Duration = .zero
    ) throws -> Session {
        Session(try connection(name: name, longest: longest), patience, within: .total(limit))
    }
}

/// A clock that fires every timer at once, in the order in which they are due.
final class FakeClock: Clock {
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
