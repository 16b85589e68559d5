import BusdEventLoop
import Glibc
import Synchronization
import TestSupport
import Testing

/// A server in the place of Redis. It sends the same bytes to each connection, whatever it is
/// asked.
final class FakeRedis {
    private let folder: Folder
    private let thread: ServiceThread
    /// The thread ends when nothing more can be read from `far`.
    private let near: Descriptor
    private let far: Descriptor

    private let count = Count()

    var socket: String { folder("redis.sock") }
    /// The number of connections so far.
    var connections: Int { count.value.load(ordering: .relaxed) }

    /// - Parameters:
    ///   - start: sent first.
    ///   - rest: sent again and again, as fast as it is read; empty: nothing more is sent.
    init(_ start: [UInt8], then rest: [UInt8]) throws {
        folder = try Folder()
        (near, far) = try socketPair()
        let (path, far) = (folder("redis.sock"), far.number)
        thread = try ServiceThread { [count] in
            try? Self.serve(at: path, start, rest, until: far, count)
        }
        try #require(Wait.forReadable(near.number, milliseconds: 60_000))
    }

    deinit {
        near.shutDownOutput()
        thread.join()
    }

    private final class Count: Sendable {
        let value = Atomic(0)
    }

    private final class Arrivals {
        var clients: [Client] = []
        var isEnded = false
    }

    private static func serve(
        at path: String, _ start: [UInt8], _ rest: [UInt8], until far: Int32, _ count: Count
    ) throws {
        let loop = try Loop()
        let arrivals = Arrivals()
        let listener = try UnixListener(loop: loop, path: path, mode: 0o600) {
            guard case .accepted(let socket, _) = $0 else { return }
            count.value.add(1, ordering: .relaxed)
            arrivals.clients.append(Client(socket, start, rest, loop))
        }
        let end = DescriptorEvent(loop: loop, descriptor: far) { _ in arrivals.isEnded = true }
        try end.watch(for: .readable)
        _ = write(far, "\n", 1)
        while !arrivals.isEnded {
            loop.turn(block: true)
            for client in arrivals.clients { client.attend() }
            arrivals.clients.removeAll { $0.isClosed }
        }
        withExtendedLifetime(listener) {}
    }

    private final class Client {
        private let socket: Descriptor
        private var output: ArraySlice<UInt8>
        private let rest: [UInt8]
        private var event: DescriptorEvent?
        private(set) var isClosed = false

        init(_ socket: Descriptor, _ start: [UInt8], _ rest: [UInt8], _ loop: Loop) {
            (self.socket, self.rest) = (socket, rest)
            output = start[...]
            event = DescriptorEvent(loop: loop, descriptor: socket.number) { _ in }
            attend()
        }

        func attend() {
            var input = [UInt8](repeating: 0, count: 4_096)
            switch input.withUnsafeMutableBytes({ socket.read(into: $0) }) {
            case .bytes, .wouldBlock: break
            case .ended, .failed: return close()
            }
            if output.isEmpty { output = rest[...] }
            if case .bytes(let count) = output.withUnsafeBytes({ socket.write($0) }) {
                output = output.dropFirst(count)
            }
            let isWriting = !output.isEmpty || !rest.isEmpty
            try? event?.watch(for: isWriting ? [.readable, .writable] : .readable)
        }

        private func close() { (event, isClosed) = (nil, true) }
    }
}
