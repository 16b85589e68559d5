import BusdBroker
import BusdEventLoop
import BusdProtocol
import Glibc

/// A client's socket in the loop. The loop watches for input, for room for output, or only for the
/// end of the peer, as the bus needs.
final class Client {
    let slot: ConnectionSlot
    private let socket: Descriptor
    private var event: DescriptorEvent?
    private var isReading = true
    private var hasEnded = false
    private var isBlocked = false

    /// - Parameter ready: called when the loop notices that the socket is ready.
    init(
        _ socket: Descriptor, slot: ConnectionSlot, loop: Loop,
        ready: @escaping (ConnectionSlot, DescriptorEvent.Interest) -> Void
    ) throws(SystemError) {
        self.socket = socket
        self.slot = slot
        let event = DescriptorEvent(loop: loop, descriptor: socket.number) { ready(slot, $0) }
        try event.watch(for: .readable)
        self.event = event
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        socket.read(into: buffer)
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> WriteOutcome {
        WriteOutcome(socket.write(bytes))
    }

    // MARK: Watching

    func setReading(_ isReading: Bool) throws(SystemError) {
        self.isReading = isReading
        try watch()
    }

    func setBlocked(_ isBlocked: Bool) throws(SystemError) {
        self.isBlocked = isBlocked
        try watch()
    }

    /// Call this when the peer has ended its output.
    func inputEnded() throws(SystemError) {
        hasEnded = true
        try watch()
    }

    private func watch() throws(SystemError) {
        var interest: DescriptorEvent.Interest = []
        if isReading && !hasEnded { interest.insert(.readable) }
        if isBlocked { interest.insert(.writable) }
        try event?.watch(for: interest.isEmpty ? .hangUp : interest)
    }

    /// Release the client afterwards.
    func close(_ scratch: UnsafeMutableRawBufferPointer) {
        event = nil
        socket.discardInput(scratch)
    }
}

extension WriteOutcome {
    init(_ transfer: Transfer) {
        self =
            switch transfer {
            case .bytes(let count): .took(count)
            case .wouldBlock: .took(0)
            case .ended, .failed: .failed
            }
    }
}

extension Descriptor {
    /// Reads and discards input before a close. If a socket is closed with unread bytes, the peer
    /// gets an error instead of the end. It stops after 16 reads, because a peer may never stop.
    func discardInput(_ scratch: UnsafeMutableRawBufferPointer) {
        for _ in 0..<16 {
            guard case .bytes(let count) = read(into: scratch) else { return }
            UnsafeMutableRawBufferPointer(rebasing: scratch[..<count]).wipe()
        }
    }
}
