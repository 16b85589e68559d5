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
    /// busd's answer to it is the sign of life.
    private let ping: [UInt8]
    private var events = EventWriter()
    /// The browser has all that busd has sent.
    private var isWaiting = false

    /// - Parameters:
    ///   - requests: lines for busd, together less than a socket's buffer.
    ///   - silence: the time after which it asks busd for a sign of life, in microseconds.
    ///   - wake: called when `read` has something again.
    ///
    /// Nil if busd does not take the requests.
    init?(
        loop: Loop, socket: Descriptor, requests: [BusRequest],
        silence: Int64 = Heartbeat.usualSilence, wake: @escaping () -> Void
    ) {
        self.socket = socket
        ping = BusRequest.ping.line(id: requests.count + 1)
        readable = DescriptorEvent(loop: loop, descriptor: socket.number) { [weak self] _ in
            self?.isWaiting = false
            self?.readable?.disable()
            wake()
        }
        heartbeat = Heartbeat(loop: loop, silence: silence) { [weak self] in self?.askForLife() }
        let lines = requests.enumerated().flatMap { $1.line(id: $0 + 1) }
        let outcome = lines.withUnsafeBytes { socket.write($0) }
        guard outcome == .bytes(lines.count) else { return nil }
    }

    // The event goes first: it must not outlive the descriptor.
    deinit { readable = nil }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> HTTPStreamRead {
        let most = EventWriter.mostInput(for: buffer.count)
        guard most > 0 else { return .ended }
        return withUnsafeTemporaryAllocation(byteCount: most, alignment: 1) { input in
            while true {
                switch socket.read(into: input) {
                case .bytes(let count):
                    heartbeat?.heard()
                    let written = events.write(input.prefix(count), to: buffer)
                    if written > 0 { return .bytes(written) }
                case .wouldBlock: return waitForInput()
                case .ended, .failed: return .ended
                }
            }
        }
    }

    /// A browser that is behind gets lines anyway. If busd does not read, no answer comes.
    private func askForLife() {
        guard isWaiting else { return }
        _ = ping.withUnsafeBytes { socket.write($0) }
    }

    private func waitForInput() -> HTTPStreamRead {
        do {
            try readable?.watch(for: .readable)
            isWaiting = true
            return .later
        } catch {
            return .ended
        }
    }
}
