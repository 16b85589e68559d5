import Glibc

/// A file descriptor and its only owner: dropping it closes the descriptor.
package final class Descriptor {
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

    /// The peer is gone for good: it reads no more and writes no more. False for one that has
    /// half-closed and still reads.
    package var isHungUp: Bool { EventLoop.isHungUp(number) }

    /// No more output: the peer reads to the end.
    package func shutDownOutput() { shutdown(number, Int32(SHUT_WR)) }
}

/// What one attempt to read or write came to.
package enum Transfer: Equatable {
    /// So many bytes went through, at least one unless none were asked for.
    case bytes(Int)
    /// Nothing for now: wait until the descriptor is ready.
    case wouldBlock
    /// Reading: the peer writes no more. Writing: it reads no more.
    case ended
    case failed(SystemError)
}

extension Descriptor {
    /// read(2), so that descriptors that a peer passes along are dropped by the kernel.
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
        if bytes.isEmpty { return .bytes(0) }
        do {
            return .bytes(try isSocket ? send(bytes) : writeToFile(bytes))
        } catch {
            return error.code == ECONNRESET ? .ended : Self.outcome(of: error)
        }
    }

    private func send(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        let number = self.number
        return try check("send") {
            Glibc.send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }

    private func writeToFile(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        let number = self.number
        return try check("write") { Glibc.write(number, bytes.baseAddress, bytes.count) }
    }

    private static func outcome(of error: SystemError) -> Transfer {
        switch error.code {
        case EAGAIN: .wouldBlock
        case EPIPE: .ended
        default: .failed(error)
        }
    }
}
