import BusdClient
import BusdEventLoop
import BusdHTTP

/// A browser's stream: a connection to busd, whose lines become server-sent events unchanged.
///
/// It reads from busd only what the browser takes at once, and keeps nothing. If the browser does
/// not read, busd notices a slow view, and resynchronises it with a gap and a snapshot.
final class BusStream: HTTPStream {
    private let socket: Descriptor
    private var readable: DescriptorEvent?
    private var heartbeat: Heartbeat?
    private var events = EventWriter()

    /// - Parameters:
    ///   - requests: lines for busd, together less than a socket's buffer.
    ///   - silence: the time after which it says that it lives, in microseconds.
    ///   - wake: called when `read` has something again.
    ///
    /// Nil if busd does not take the requests.
    init?(
        loop: Loop, socket: Descriptor, requests: [BusRequest],
        silence: Int64 = Heartbeat.usualSilence, wake: @escaping () -> Void
    ) {
        self.socket = socket
        readable = DescriptorEvent(loop: loop, descriptor: socket.number) { [weak self] _ in
            self?.readable?.disable()
            wake()
        }
        heartbeat = Heartbeat(loop: loop, silence: silence, due: wake)
        let lines = requests.enumerated().flatMap { $1.line(id: $0 + 1) }
        let outcome = lines.withUnsafeBytes { socket.write($0) }
        guard outcome == .bytes(lines.count) else { return nil }
    }

    // The event goes first: it must not outlive the descriptor.
    deinit { readable = nil }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> HTTPStreamRead {
        let most = EventWriter.mostInput(for: buffer.count)
        guard most >= Heartbeat.line.count else { return .ended }
        if let heartbeat, heartbeat.isDue, events.isBetweenLines {
            heartbeat.sent()
            return .bytes(events.write(Heartbeat.line, to: buffer))
        }
        return withUnsafeTemporaryAllocation(byteCount: most, alignment: 1) { input in
            while true {
                switch socket.read(into: input) {
                case .bytes(let count):
                    heartbeat?.sent()
                    let written = events.write(input.prefix(count), to: buffer)
                    if written > 0 { return .bytes(written) }
                case .wouldBlock: return waitForInput()
                case .ended, .failed: return .ended
                }
            }
        }
    }

    private func waitForInput() -> HTTPStreamRead {
        do {
            try readable?.watch(for: .readable)
            return .later
        } catch {
            return .ended
        }
    }
}
