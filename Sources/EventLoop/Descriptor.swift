import Glibc

/// A file descriptor and its only owner: dropping it closes the descriptor.
package final class Descriptor: Sendable {
    package let number: Int32
    private let isSocket: Bool

    package init(socket number: Int32) {
        self.number = number
        isSocket = true
    }

    package init(file number: Int32) {
        self.number = number
        isSocket = false
    }

    deinit { close(number) }

    /// The peer neither reads nor writes any more. False for a peer that has half-closed and still
    /// reads.
    package var isHungUp: Bool { BusdEventLoop.isHungUp(number) }

    /// Limits the kernel's memory for output that the peer has not read to about `bytes`; never
    /// raises the limit of the socket. The kernel accepts one piece of a write beyond it.
    package func limitUnread(_ bytes: Int) {
        var limit: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)  // fits: it is 4
        guard getsockopt(number, SOL_SOCKET, SO_SNDBUF, &limit, &size) == 0, bytes < limit else {
            return
        }
        // The kernel doubles the value, for its own administration.
        var half = Int32(clamping: bytes / 2)
        setsockopt(number, SOL_SOCKET, SO_SNDBUF, &half, size)
    }

    /// Ends the output. The peer reads what was written, and then the end.
    package func shutDownOutput() { shutdown(number, Int32(SHUT_WR)) }
}

/// The result of one attempt to read or write.
package enum Transfer: Equatable {
    /// This many bytes were transferred; 0 only if 0 were requested.
    case bytes(Int)
    /// Nothing can be transferred now: wait until the descriptor is ready.
    case wouldBlock
    /// For a read: the peer writes no more. For a write: the peer reads no more.
    case ended
    case failed(SystemError)
}

extension Descriptor {
    /// Uses read(2), so the kernel drops descriptors that a peer passes along.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        if buffer.isEmpty { return .bytes(0) }
        do {
            let number = self.number
            let count = try check("read") { Glibc.read(number, buffer.baseAddress, buffer.count) }
            return count == 0 ? .ended : .bytes(count)
        } catch {
            return Self.outcome(of: error)
        }
    }

    /// Never raises SIGPIPE on a socket.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        if isSocket { return writer.write(bytes) }
        if bytes.isEmpty { return .bytes(0) }
        do {
            let number = self.number
            return .bytes(
                try check("write") { Glibc.write(number, bytes.baseAddress, bytes.count) })
        } catch {
            return Self.outcome(of: error)
        }
    }

    fileprivate static func outcome(of error: SystemError) -> Transfer {
        switch error.code {
        case EAGAIN: .wouldBlock
        case EPIPE: .ended
        default: .failed(error)
        }
    }

    /// The socket for writes, without a reference to this object.
    package var writer: SocketWriter { SocketWriter(number: number) }
}

/// A socket for fast writes to thousands of connections. It holds no reference: its owner must
/// outlive it.
package struct SocketWriter {
    /// Each write to it fails.
    package static let closed = SocketWriter(number: -1)

    fileprivate let number: Int32

    /// Never raises SIGPIPE.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        if bytes.isEmpty { return .bytes(0) }
        do {
            return .bytes(
                try check("send") {
                    Glibc.send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                })
        } catch {
            return error.code == ECONNRESET ? .ended : Descriptor.outcome(of: error)
        }
    }
}
