import BusdEventLoop
import BusdProtocol
import Glibc

/// A connected socket that reads whole lines and writes bytes. It never blocks.
final class LineSocket {
    enum SocketEvent {
        /// Without its line feed. The bytes are valid only during the call.
        case line(ArraySlice<UInt8>)
        /// The other side has closed the connection, or its output.
        case ended
        /// A line has more bytes than `BusLine.limits` allow.
        case tooLong
        case failed(SystemError)
    }

    /// Limit of the output that the daemon has not read, in bytes.
    static let mostOutput = 1 << 20

    private let descriptor: Descriptor
    private let received: (SocketEvent) -> Void
    private var event: DescriptorEvent?
    private var input = LineBuffer(longest: BusLine.limits.line)
    private var output: [UInt8] = []
    private var isOpen = true

    /// `received` is called from the loop, and not after `close`.
    init(
        loop: Loop, descriptor: Descriptor, received: @escaping (SocketEvent) -> Void
    ) throws(SystemError) {
        self.descriptor = descriptor
        self.received = received
        event = DescriptorEvent(loop: loop, descriptor: descriptor.number) { [weak self] ready in
            self?.becameReady(ready)
        }
        try event?.watch(for: .readable)
    }

    // The event goes first: it must not outlive the descriptor.
    deinit { event = nil }

    func close() {
        isOpen = false
        event = nil
    }

    /// False if too much output waits already. Nothing is written then.
    func write(_ bytes: [UInt8]) -> Bool {
        guard output.count + bytes.count <= Self.mostOutput else { return false }
        output += bytes
        flush()
        return true
    }

    private func becameReady(_ ready: DescriptorEvent.Interest) {
        if ready.contains(.writable) { flush() }
        if ready.contains(.readable) { read() }
    }

    // A failed write is not reported: reading finds the end, after the last lines of the daemon.
    private func flush() {
        while !output.isEmpty {
            switch output.withUnsafeBytes({ descriptor.write($0) }) {
            case .bytes(let count): output.removeFirst(count)
            case .wouldBlock: return watch([.readable, .writable])
            case .ended, .failed: output = []
            }
        }
        watch(.readable)
    }

    private func watch(_ interest: DescriptorEvent.Interest) {
        do {
            try event?.watch(for: interest)
        } catch {
            received(.failed(error))
        }
    }

    private func read() {
        switch input.fill({ descriptor.read(into: $0) }) {
        case .bytes: readLines()
        case .wouldBlock: break
        case .ended: received(.ended)
        // The daemon closed with unread input. The kernel reports this once; its buffered lines
        // follow.
        case .failed(let error) where error.code == ECONNRESET: break
        case .failed(let error): received(.failed(error))
        }
    }

    private func readLines() {
        while isOpen, let line = input.next() { received(.line(line)) }
        if isOpen, input.isTooLong { received(.tooLong) }
    }
}
