import BusdBroker
import BusdEventLoop
import BusdProtocol
import Glibc

/// A client's socket in the loop. What is waited for follows from what the bus wants: to read, to
/// write, or only to know when the peer is gone.
final class Client {
    let slot: ConnectionSlot
    private let socket: Descriptor
    private var event: DescriptorEvent?
    private var isReading = true
    private var hasEnded = false
    private var isBlocked = false

    /// - Parameter ready: what the loop has noticed; it is dealt with at the end of the turn.
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

    // MARK: What is waited for

    func setReading(_ isReading: Bool) throws(SystemError) {
        self.isReading = isReading
        try watch()
    }

    func setBlocked(_ isBlocked: Bool) throws(SystemError) {
        self.isBlocked = isBlocked
        try watch()
    }

    /// The peer writes no more.
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

    /// To be dropped then.
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
    /// Takes in what nobody will read, because closing over unread bytes would tell the peer of an
    /// error instead of the end. Only so much, for a peer that never stops.
    func discardInput(_ scratch: UnsafeMutableRawBufferPointer) {
        for _ in 0..<16 {
            guard case .bytes(let count) = read(into: scratch) else { return }
            UnsafeMutableRawBufferPointer(rebasing: scratch[..<count]).wipe()
        }
    }
}
