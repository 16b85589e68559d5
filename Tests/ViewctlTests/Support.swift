import BusdOptions
import BusdProtocol
import Glibc
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
final class OutputPipes {
    let console: Console
    private let output: Descriptor
    private let errors: Descriptor
    private var inputs: [Descriptor]

    init() throws {
        let (output, first) = try Self.pipe()
        let (errors, second) = try Self.pipe()
        self.output = output
        self.errors = errors
        inputs = [first, second]
        console = Console(output: first.number, errors: second.number)
    }

    func takeOutput() -> [String] { Self.lines(output) }

    func takeErrors() -> [String] { Self.lines(errors) }

    private static func lines(_ descriptor: Descriptor) -> [String] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        guard case .bytes(let count) = buffer.withUnsafeMutableBytes({ descriptor.read(into: $0) })
        else { return [] }
        let text = String(decoding: buffer.prefix(count), as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
            String.init)
    }

    static func pipe() throws -> (Descriptor, Descriptor) {
        var ends: [Int32] = [-1, -1]
        try check("pipe") { Glibc.pipe(&ends) }
        try check("fcntl") { fcntl(ends[0], F_SETFL, O_NONBLOCK) }
        return (Descriptor(file: ends[0]), Descriptor(file: ends[1]))
    }
}

/// A daemon with one script for each connection: it sends the lines of the script, then waits or
/// closes. After the last script it refuses connections.
final class ScriptedDaemon {
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
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard !scripts.isEmpty, socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            return .failed(SystemError(code: ECONNREFUSED, function: "connect"))
        }
        let script = scripts.removeFirst()
        let end = Descriptor(socket: ends[1])
        let bytes = Array(script.lines.map { $0 + "\n" }.joined().utf8)
        _ = bytes.withUnsafeBytes { end.write($0) }
        if script.closes { end.shutDownOutput() }
        far.append(end)
        return .connected(Descriptor(socket: ends[0]))
    }

    /// The requests of each connection.
    func requests() -> [[String]] {
        far.map { end in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            guard case .bytes(let count) = buffer.withUnsafeMutableBytes({ end.read(into: $0) })
            else { return [] }
            return String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "\n")
                .map(String.init)
        }
    }

    /// - Parameter longest: a timer with a longer span never fires.
    func connection(name: String? = nil, longest: Duration? = nil) throws -> BusConnection {
        let loop = try Loop()
        let clientLoop = ClientLoop(loop: loop, clock: ImmediateClock(loop, longest))
        return BusConnection(loop: clientLoop, path: "/bus", name: name, dial: dial)
    }
}

/// A clock that fires every timer at once, in the order in which they are due.
final class ImmediateClock: Clock {
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
