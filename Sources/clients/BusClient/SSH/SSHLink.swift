import BusdEventLoop
import BusdProtocol
import Glibc

// ssh runs for a while before there is a connection: it resolves names, and may ask for a password.
// So the link sends a `ping` to the daemon, and is connected when the answer arrives. From then on
// the socket is like a local one that is newly connected.

/// One attempt to connect to the daemon on another machine, and then the ssh of that connection.
final class SSHLink {
    typealias Outcome = Result<Descriptor, Loss>

    /// In bytes.
    private static let longestFirstLine = 4_096
    /// Bytes that are read in a turn of the loop, so that endless `ping`s do not stop it.
    private static let mostInTurn = 4_096
    private let command: SSHCommand
    private let process: ChildProcess
    private let messages: SSHMessages
    private let done: (Outcome) -> Void
    private var socket: Descriptor?
    private var event: DescriptorEvent?
    private var line: [UInt8] = []

    /// - Parameters:
    ///   - isQuiet: a screen uses the terminal.
    ///   - done: is called once, by the loop.
    init(
        _ loop: Loop, _ command: SSHCommand, isQuiet: Bool, _ done: @escaping (Outcome) -> Void
    ) throws(SystemError) {
        self.command = command
        self.done = done
        let stream = try connectedSockets()
        let errors = try connectedSockets()
        messages = try SSHMessages(loop, errors.near, isForwarding: !isQuiet)
        process = try ChildProcess(
            command.words(asks: !isQuiet), stream: stream.far, errors: errors.far,
            hasTerminal: !isQuiet)
        socket = stream.near
        event = DescriptorEvent(loop: loop, descriptor: stream.near.number) { [weak self] _ in
            self?.read()
        }
        try event?.watch(for: .readable)
        _ = BusRequest.ping.line(id: 0).withUnsafeBytes { stream.near.write($0) }
    }

    // The event goes first: it must not outlive the descriptor.
    deinit { event = nil }

    /// A screen uses the terminal from now on.
    func becomeQuiet() { messages.isForwarding = false }

    /// Why ssh ended, after the connection was made.
    var reasonOfEnd: Loss {
        messages.readRest()
        let reason = messages.isForwarding ? nil : messages.lastLine
        return .unreachable(host: command.host.name, reason: reason ?? "the connection ended")
    }

    // MARK: The first answer

    /// Reads byte by byte, so that the bytes after the first line stay in the socket for the
    /// connection.
    private func read() {
        for _ in 0..<Self.mostInTurn {
            guard let socket else { return }
            var byte: UInt8 = 0
            switch withUnsafeMutableBytes(of: &byte, { socket.read(into: $0) }) {
            case .bytes where byte == UInt8(ascii: "\n"): lineEnded()
            case .bytes where line.count < Self.longestFirstLine: line.append(byte)
            case .bytes: finish(.failure(notADaemon))
            case .wouldBlock: return
            case .ended, .failed: finish(.failure(lossAtEnd()))
            }
        }
    }

    private func lineEnded() {
        let document = JSONDocument(isLenient: true)
        try? document.read(line.span, limits: BusLine.limits)
        switch document.root.map(BusLine.init) {
        case .ok(_, id: .integer(0)): finish(socket.map { .success($0) } ?? .failure(notADaemon))
        case .bye(let code, let message): finish(.failure(.bye(code: code, message: message)))
        case .ping: line = []
        default: finish(.failure(notADaemon))
        }
    }

    private func finish(_ outcome: Outcome) {
        event = nil
        socket = nil
        done(outcome)
    }

    // MARK: Failures

    private var notADaemon: Loss {
        let text = String(decoding: line.prefix(100), as: UTF8.self)
        return .malformed(
            path: command.place,
            reason: "its first line is '\(text)'; a shell that ssh starts "
                + "there must print nothing by itself")
    }

    /// ssh exits with the status of the remote command, or with 255 if ssh itself failed.
    private func lossAtEnd() -> Loss {
        let status = process.status(within: 1_000)
        messages.readRest()
        let host = command.host.name
        switch status {
        case 127:
            let reason = "viewctl is not installed, or not in the PATH of a command that ssh runs"
            return .unreachable(host: host, reason: reason)
        case 64: return .unreachable(host: host, reason: "viewctl there is too old for --host")
        default: break
        }
        if !messages.isForwarding, let line = messages.lastLine {
            return .unreachable(host: host, reason: line)
        }
        switch status {
        case 1: return .noDaemon(path: command.place)
        case 5: return .notPermitted(path: command.place)
        case 255: return .unreachable(host: host, reason: "ssh cannot connect")
        case let status?:
            return .unreachable(host: host, reason: "ssh ended with status \(status)")
        case nil: return .unreachable(host: host, reason: "ssh ended the connection")
        }
    }
}
