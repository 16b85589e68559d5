import BusdEventLoop
import BusdProtocol
import Glibc

// Each direction has one buffer, which is filled only when it is empty. So a slow reader delays
// only its own direction, and at most 64 KiB wait in each. Standard input and output may be shared
// with other processes, so they stay blocking: poll(2) reports when a call does not block, and a
// call writes no more than fits.

/// Passes bytes between two descriptors and a socket.
struct Pump {
    enum End: Equatable {
        /// The daemon has closed the connection, or the output has no reader any more.
        case done
        case timedOut
        case outputFailed(SystemError)
    }

    private static let room = 65_536
    /// A pipe that poll(2) reports as writable takes this many bytes without blocking.
    private static let pipeRoom = 4_096

    private let input: Int32
    private let output: Int32
    private let isOutputSocket: Bool
    private let socket: Descriptor
    private var hasInput = true
    private var hasDaemon = true
    /// Requests for the daemon that are not written yet, and lines of the daemon for the output.
    private var requests: ArraySlice<UInt8> = []
    private var lines: ArraySlice<UInt8> = []
    private var end: End?

    init(input: Int32, output: Int32, _ socket: Descriptor) {
        self.input = input
        self.output = output
        self.socket = socket
        var status = stat()
        isOutputSocket = fstat(output, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// - Parameter limit: zero is without limit.
    consuming func run(within limit: Duration = .zero) -> End {
        let clock = ContinuousClock()
        let deadline = limit == .zero ? nil : clock.now + limit
        while true {
            if let end { return end }
            if !hasDaemon, lines.isEmpty { return .done }
            var left: Int32 = -1
            if let deadline {
                let rest = clock.now.duration(to: deadline)
                if rest <= .zero { return .timedOut }
                left = Int32(clamping: rest.microseconds / 1_000 + 1)
            }
            turn(waiting: left)
        }
    }

    private mutating func turn(waiting milliseconds: Int32) {
        var wanted: Int16 = 0
        if hasDaemon, lines.isEmpty { wanted |= Int16(POLLIN) }
        if !requests.isEmpty { wanted |= Int16(POLLOUT) }
        let readsInput = hasInput && requests.isEmpty
        // poll(2) reports a hangup even if nothing is requested, in every turn. So unused
        // descriptors are left out, except the output: its hangup ends the relay.
        var entries = [
            pollfd(fd: readsInput ? input : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wanted == 0 ? -1 : socket.number, events: wanted, revents: 0),
            pollfd(fd: output, events: lines.isEmpty ? 0 : Int16(POLLOUT), revents: 0),
        ]
        guard poll(&entries, 3, milliseconds) > 0 else { return }
        if entries[0].revents != 0 { readInput() }
        if entries[1].revents != 0 {
            if !requests.isEmpty { writeRequests() }
            if hasDaemon, lines.isEmpty { readDaemon() }
        }
        if entries[2].revents != 0 {
            if lines.isEmpty { end = .done } else { writeLines() }
        }
    }

    // MARK: To the daemon

    private mutating func readInput() {
        var buffer = [UInt8](repeating: 0, count: Self.room)
        let count = read(input, &buffer, buffer.count)
        if count > 0 {
            requests = buffer[..<count]
            writeRequests()
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            hasInput = false
            socket.shutDownOutput()
        }
    }

    private mutating func writeRequests() {
        switch requests.withUnsafeBytes({ socket.write($0) }) {
        case .bytes(let count): requests = requests.dropFirst(count)
        case .wouldBlock: break
        // The daemon may have sent the reason before: keep reading.
        case .ended, .failed:
            hasInput = false
            requests = []
        }
    }

    // MARK: From the daemon

    private mutating func readDaemon() {
        var buffer = [UInt8](repeating: 0, count: Self.room)
        switch buffer.withUnsafeMutableBytes({ socket.read(into: $0) }) {
        case .bytes(let count):
            lines = buffer[..<count]
        case .wouldBlock: break
        // The daemon closed with unread requests. The kernel reports this once; its buffered lines
        // follow.
        case .failed(let error) where error.code == ECONNRESET: break
        case .ended, .failed: hasDaemon = false
        }
    }

    private mutating func writeLines() {
        let count = lines.withUnsafeBytes { bytes in
            isOutputSocket
                ? send(output, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
                : write(output, bytes.baseAddress, min(bytes.count, Self.pipeRoom))
        }
        if count >= 0 {
            lines = lines.dropFirst(count)
            return
        }
        switch errno {
        case EAGAIN, EINTR: break
        case EPIPE, ECONNRESET: end = .done
        case let code: end = .outputFailed(SystemError(code: code, function: "write"))
        }
    }
}
