import Glibc

/// Sends and receives lines over a socket, in a program without a loop.
package final class LineChannel {
    private let socket: Descriptor
    private let longest: Int
    private let isInterrupted: () -> Bool
    private var input: [UInt8] = []
    /// The peer has ended the connection, or its line is too long.
    package private(set) var isClosed = false

    /// - Parameter isInterrupted: true ends each wait within 50 ms.
    package init(
        _ socket: Descriptor, longestLine longest: Int = .max,
        isInterrupted: @escaping () -> Bool = { false }
    ) {
        (self.socket, self.longest, self.isInterrupted) = (socket, longest, isInterrupted)
    }

    /// - Parameter line: without its line feed.
    package func send(_ line: [UInt8], until deadline: ContinuousClock.Instant) {
        var rest = (line + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty, !isClosed {
            switch rest.withUnsafeBytes({ socket.write($0) }) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .wouldBlock: isClosed = !isReady(for: POLLOUT, until: deadline)
            case .ended, .failed: isClosed = true
            }
        }
    }

    /// The next line, without its line feed. Nil: the connection has ended, or the time is over.
    package func line(until deadline: ContinuousClock.Instant) -> [UInt8]? {
        while true {
            if let end = input.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(input[..<end])
                input.removeSubrange(...end)
                return line
            }
            if input.count >= longest { isClosed = true }
            guard !isClosed, isReady(for: POLLIN, until: deadline) else { return nil }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            switch buffer.withUnsafeMutableBytes({ socket.read(into: $0) }) {
            case .bytes(let count): input += buffer.prefix(count)
            case .wouldBlock: break
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
