import BusdEventLoop
import Glibc
import TestSupport
import Testing

/// A real busd with its own folder. It listens when `init` returns.
final class BusFixture {
    let folder: Folder
    let daemon: Child
    var socket: String { folder("busd.sock") }
    var viewSocket: String { folder("view.sock") }

    /// - Parameter reports: whether the daemon may report something before it serves.
    init(
        in folder: Folder? = nil, options: [String] = ["--state", ":memory:"],
        reports: Bool = false
    ) throws {
        let folder = try folder ?? Folder()
        self.folder = folder
        let busd = [try Products.path("busd"), "--socket", folder("busd.sock")] + options
        let unit = try Unit.separate(for: folder)
        daemon = try Child((unit?.launcher ?? []) + busd)
        let serving = "busd: serving \(folder("busd.sock")) and \(folder("view.sock"))"
        var line = try daemon.errors.line()
        while reports, line != nil, line != serving { line = try daemon.errors.line() }
        try #require(line == serving)
        if let unit { daemon.pid = try unit.process() }
    }

    /// Runs a program that finds the daemon through BUSD_SOCKET.
    func run(_ words: String..., input: String = "") throws -> Child.Outcome {
        try start(words, input: input).outcome()
    }

    func start(_ words: [String], input: String = "") throws -> Child {
        try Child(words, input: input, environment: ["BUSD_SOCKET": socket])
    }

    func connect(throughViewSocket: Bool = false) throws -> Conversation {
        try Conversation(with: throughViewSocket ? viewSocket : socket)
    }

    /// Asks the daemon to end, and waits until it has.
    func stop() throws -> Child.Outcome {
        daemon.signal(SIGTERM)
        return try daemon.outcome()
    }
}

/// One end of a connection, used by a test.
final class Conversation {
    private let socket: Descriptor
    private let reader: LineReader

    init(with path: String) throws {
        guard case .connected(let socket) = connectUnix(path: path) else {
            throw NotThere(path: path)
        }
        self.socket = socket
        reader = LineReader(socket)
    }

    init(over socket: Descriptor) {
        self.socket = socket
        reader = LineReader(socket)
    }

    struct NotThere: Error {
        let path: String
    }

    /// The other end has closed.
    struct Closed: Error {}

    func send(_ lines: String...) throws {
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        let outcome = bytes.withUnsafeBytes { socket.write($0) }
        if outcome == .ended { throw Closed() }
        try #require(outcome == .bytes(bytes.count))
    }

    /// Sends bytes as fast as the other end takes them.
    /// - Parameter isEndless: whether to repeat the bytes until the other end closes.
    func sendAll(_ bytes: [UInt8], untilClosed isEndless: Bool = false) throws {
        var rest = bytes[...]
        while !rest.isEmpty || isEndless {
            if rest.isEmpty { rest = bytes[...] }
            switch rest.withUnsafeBytes({ socket.write($0) }) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .wouldBlock: Wait.forReady(socket.number, isWriting: true, milliseconds: 60_000)
            case .ended: return
            case .failed(let error): throw error
            }
        }
    }

    /// The next line; `nil` if the other end has closed.
    func line() throws -> String? { try reader.line() }

    /// Reads until a line has the text, and returns this line. Throws at the end.
    @discardableResult
    func line(with text: String) throws -> String { try reader.line(with: text) }

    func lines(_ count: Int) throws -> [String] { try reader.lines(count) }

    /// Everything until the other end closes.
    func rest() throws -> String { try reader.rest() }

    func ask(_ line: String) throws -> String? {
        try send(line)
        return try reader.line()
    }

    /// Asks again until the answer contains a text.
    func await(
        _ text: String, inAnswerTo request: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try eventually(text, sourceLocation: sourceLocation) {
            try ask(request)
        } is: {
            $0?.contains(text) == true
        }
    }

    func endInput() { socket.shutDownOutput() }
}
