import BusdAccounts
import BusdBooks
import BusdBroker
import BusdEcho
import BusdEventLoop
import BusdGames
import BusdHosting
import BusdLogin
import BusdProtocol
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import BusdDaemon

/// What busd hosts.
let applications: [Application] = [.games, .books, .login, .echo]

/// The daemon without its process: real sockets in a folder, and a loop that the test turns.
final class ServerFixture {
    let folder: Folder
    let loop: Loop
    let logged: LogPipe
    let server: Server
    let state: DurableState
    let host: Host
    let metrics = ProcessMetrics()
    private let listeners: Listeners

    init(
        in folder: Folder? = nil, keepsState: Bool = false, isClockManual: Bool = false,
        limits: Limits = Limits(), owner: Int? = nil
    ) throws {
        let folder = try folder ?? Folder()
        self.folder = folder
        loop = try Loop()
        logged = try LogPipe()
        let log = logged.log()
        var settings = try Settings(in: folder, keepsState: keepsState)
        settings.isClockManual = isClockManual
        let state = try DurableState(settings, loop: loop, log: log)
        self.state = state
        host = Host(openLibraries: state.openLibraries, openPasswords: state.openPasswords)
        for application in applications { try application.install(on: host) }
        // So it has users and a store, also if no application asks for them.
        if keepsState { _ = host.passwords }
        try state.open(host)
        #expect(host.problems == [])
        let bus = Bus(
            host: host, limits: limits, owner: owner ?? Int(geteuid()), server: "testd 1",
            durability: "\(state.durability)", state: state.path, epoch: 1)
        server = Server(
            loop: loop, host: host, bus: bus, state: state, metrics: metrics,
            isClockManual: isClockManual, log: log)
        listeners = try Listeners(settings, [])
        try listeners.open(on: loop, arrived: server.arrived)
        state.serve(at: folder("busd.sock"))
    }

    /// A new connection to the daemon.
    func connect(throughViewSocket: Bool = false) throws -> TestClient {
        let path = folder(throughViewSocket ? "view.sock" : "busd.sock")
        return TestClient(try DaemonTests.connect(to: path), self)
    }

    /// Turns until `condition` holds. False after a minute.
    func turn(until condition: () -> Bool) -> Bool {
        loop.turn(until: condition) { [server] in server.turn(block: true) }
    }

    /// Runs a command on a separate thread, and serves until it ends. Returns the reason if it
    /// fails.
    func beside(_ command: @escaping @Sendable () throws -> Void) -> String? {
        let outcome = Outcome()
        guard let wakeup = try? Wakeup(loop: loop, action: {}) else { return "no wakeup" }
        let poke = wakeup.signal
        let thread = try? ServiceThread {
            let refusal: String?
            do {
                try command()
                refusal = nil
            } catch {
                refusal = "\(error)"
            }
            outcome.refusal.withLock { $0 = .some(refusal) }
            poke()
        }
        let isDone = turn { outcome.refusal.withLock { $0 != nil } }
        thread?.join()
        return isDone ? outcome.refusal.withLock { $0 ?? nil } : "it does not end"
    }

    private final class Outcome: Sendable {
        let refusal = Mutex<String??>(nil)
    }

    /// Ends the daemon as a signal does.
    func end() {
        stop()
        state.end(host)
    }

    /// Ends the daemon as a kill does.
    func kill() { state.close() }

    /// Stops the daemon as a signal does, and serves until it ends.
    func stop() {
        let signal = LoopTimer(loop: loop) { [server] in server.stop() }
        signal.arm(afterMicroseconds: 0)
        server.run()
        withExtendedLifetime(signal) {}
    }

    /// Turns a few times without waiting.
    func settle() { for _ in 0..<4 { server.turn(block: false) } }
}

/// The other end of a client's socket.
final class TestClient {
    private(set) var socket: Descriptor?
    private let bus: ServerFixture
    private var text = ""
    private(set) var hasEnded = false

    init(_ socket: Descriptor, _ bus: ServerFixture) {
        self.socket = socket
        self.bus = bus
    }

    func send(_ lines: String...) { socket?.write(lines.map { "\($0)\n" }.joined()) }

    /// The whole lines that have arrived, without turning the daemon.
    func takeLines() -> [String] {
        read()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        text = String(lines.last ?? "")
        return lines.dropLast().map { String($0) }
    }

    private func read() {
        guard let new = socket?.readText() else { return }
        text += new.text
        hasEnded = hasEnded || new.isAtEnd
    }

    /// Turns the daemon until as many lines have arrived, and expects exactly these lines, with `…`
    /// for the marks of cursors: they depend on the view models that the daemon has.
    func expect(_ lines: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        var seen: [String] = []
        _ = bus.turn {
            seen += takeLines()
            return seen.count >= lines.count
        }
        let unmarked = seen.map {
            $0.replacing(#/"(cursor|done)":"[^:"]*:/#) { #""\#($0.output.1)":"…:"# }
        }
        #expect(unmarked == lines, sourceLocation: sourceLocation)
    }

    /// Turns the daemon until it has closed, and expects that nothing else has arrived.
    func expectEnd(sourceLocation: SourceLocation = #_sourceLocation) {
        let ends = bus.turn {
            read()
            return hasEnded
        }
        #expect(ends, sourceLocation: sourceLocation)
        #expect(text == "", sourceLocation: sourceLocation)
    }

    /// The answer to a `get` of a view model.
    func shown(_ address: String) -> String {
        send(#"{"op":"get","to":"\#(address)","id":2}"#)
        var lines: [String] = []
        #expect(
            bus.turn {
                lines += takeLines()
                return !lines.isEmpty
            })
        #expect(lines.count == 1)
        return lines.first ?? ""
    }

    /// A send with the id 2 and a key.
    static func line(_ address: String, _ event: String) -> String {
        #"{"op":"send","to":"\#(address)","event":\#(event),"id":2,"key":"other"}"#
    }

    /// Sends it twice: it changes nothing, and its key is known then.
    func expectNoEffect(of line: String) {
        send(line)
        expect(#"{"ok":{"changed":false},"id":2}"#)
        send(line)
        expect(#"{"ok":{"changed":false,"duplicate":true},"id":2}"#)
    }

    /// Expects that the key of the line is known after a restart.
    func expectDuplicate(of line: String) {
        send(line)
        expect(#"{"ok":{"duplicate":true},"id":2}"#)
    }

    func halfClose() { socket?.shutDownOutput() }
    func hangUp() { socket = nil }
}

extension Server {
    var clientCount: Int { clients.count { $0 != nil } }
    var placeCount: Int { clients.count }
}
