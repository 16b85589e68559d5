import Glibc

/// Sends and receives lines over a socket, in a program without a loop.
package final class LineChannel {
    private let socket: Descriptor
    private let isInterrupted: () -> Bool
    private var input: LineBuffer
    /// Nothing more is sent or received: the peer has ended the connection, its line is too long,
    /// or it did not read in time.
    package private(set) var isClosed = false

    /// - Parameter isInterrupted: true ends each wait within 50 ms.
    package init(
        _ socket: Descriptor, longestLine longest: Int = .max,
        isInterrupted: @escaping () -> Bool = { false }
    ) {
        (self.socket, self.isInterrupted) = (socket, isInterrupted)
        input = LineBuffer(longest: longest)
    }

    /// If the peer has ended the connection, its last lines can still be received.
    ///
    /// - Parameter line: without its line feed.
    package func send(_ line: [UInt8], until deadline: ContinuousClock.Instant) {
        var rest = (line + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty, !isClosed {
            switch rest.withUnsafeBytes({ socket.write($0) }) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .wouldBlock: isClosed = !isReady(for: POLLOUT, until: deadline)
            case .ended, .failed: return
            }
        }
    }

    /// The next line, without its line feed. Nil: the channel is closed, the time is over, or the
    /// program is interrupted.
    package func line(until deadline: ContinuousClock.Instant) -> [UInt8]? {
        while true {
            if let line = input.next() { return Array(line) }
            if input.isTooLong { isClosed = true }
            guard !isClosed, ContinuousClock.now < deadline, isReady(for: POLLIN, until: deadline)
            else { return nil }
            switch input.fill({ socket.read(into: $0) }) {
            case .bytes, .wouldBlock: break
            case .ended, .failed: isClosed = true
            }
        }
    }

    private func isReady(for event: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        while !isInterrupted() {
            let left = ContinuousClock.now.duration(to: deadline)
            let wait: Int32 = left > .zero ? 50 : 0
            let asked = Int16(event)  // fits: it is a flag of poll(2)
            if events(of: socket.number, asked: asked, milliseconds: wait) != 0 { return true }
            if left <= .zero { return false }
        }
        return false
    }
}
