import BusdBroker
import BusdEventLoop
import Glibc
import TestSupport
import Testing

@testable import BusdDaemon

@Suite struct ClientTests {
    private let loop: Loop
    private let near: Descriptor
    private let peer: Peer
    private let notes = Notes()

    private final class Peer {
        var end: Descriptor?
        init(_ end: Descriptor) { self.end = end }
    }

    private final class Notes {
        var all: [DescriptorEvent.Interest] = []
        func take() -> [DescriptorEvent.Interest] {
            defer { all = [] }
            return all
        }
    }

    init() throws {
        loop = try Loop()
        let (near, far) = try socketPair()
        self.near = near
        peer = Peer(far)
    }

    private func client() throws -> Client {
        try Client(near, slot: 7, loop: loop) { [notes] slot, what in
            #expect(slot == 7)
            notes.all.append(what)
        }
    }

    private func isIdle() -> Bool {
        for _ in 0..<3 { loop.turn(block: false) }
        return notes.all == []
    }

    private func read(_ client: Client) -> Transfer {
        var buffer = [UInt8](repeating: 0, count: 64)
        return buffer.withUnsafeMutableBytes { client.read(into: $0) }
    }

    private func write(_ client: Client, _ count: Int) -> WriteOutcome {
        [UInt8](repeating: 1, count: count).withUnsafeBytes { client.write($0) }
    }

    @Test func `Input of a client is reported, and can be read`() throws {
        let client = try client()
        #expect(isIdle())

        peer.end?.write("abc")
        #expect(loop.turn { !notes.all.isEmpty })
        #expect(notes.take() == [.readable])
        #expect(read(client) == .bytes(3))
        #expect(read(client) == .wouldBlock)
        #expect(isIdle())
    }

    @Test func `A full socket takes no bytes, and reports when there is room`() throws {
        let client = try client()
        let took = near.fill()
        #expect(took > 0)
        #expect(write(client, 10) == .took(0))
        #expect(isIdle())

        try client.setBlocked(true)
        #expect(isIdle())
        #expect(peer.end?.readText().text.utf8.count == took)
        #expect(loop.turn { !notes.all.isEmpty })
        #expect(notes.take() == [.writable])

        try client.setBlocked(false)
        #expect(isIdle())
        #expect(write(client, 10) == .took(10))
    }

    @Test func `Input is not reported while reading is off, and is afterwards`() throws {
        let client = try client()
        try client.setReading(false)
        peer.end?.write("abc")
        #expect(isIdle())

        try client.setReading(true)
        #expect(loop.turn { !notes.all.isEmpty })
        #expect(notes.take() == [.readable])
    }

    @Test func `A hang-up is reported while reading is off`() throws {
        let client = try client()
        try client.setReading(false)
        #expect(isIdle())

        peer.end = nil
        #expect(loop.turn { !notes.all.isEmpty })
        #expect(notes.take() == [.hangUp])
        #expect(isIdle())
        withExtendedLifetime(client) {}
    }

    @Test func `A hang-up is reported while the client is blocked`() throws {
        let client = try client()
        try client.setReading(false)
        _ = near.fill()
        try client.setBlocked(true)
        #expect(isIdle())

        peer.end = nil
        #expect(loop.turn { !notes.all.isEmpty })
        #expect(notes.take().first == .writable)
        #expect(write(client, 10) == .failed)
    }

    @Test func `After its end of input a client is not read, and its hang-up is reported`() throws {
        let client = try client()
        peer.end?.shutDownOutput()
        #expect(loop.turn { !notes.all.isEmpty })
        #expect(notes.take() == [.readable])
        #expect(read(client) == .ended)

        try client.inputEnded()
        try client.setReading(true)
        #expect(isIdle())
        #expect(write(client, 3) == .took(3))

        peer.end = nil
        #expect(loop.turn { !notes.all.isEmpty })
        #expect(notes.take() == [.hangUp])
    }

    @Test func `The peer of a closed client reads to the end, whatever it has sent`() throws {
        var client: Client? = try client()
        #expect(client.map { write($0, 3) } == .took(3))
        peer.end?.write("nobody reads this")
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 1)
        defer { scratch.deallocate() }

        client?.close(scratch)
        client = nil
        #expect(isIdle())
        near.shutDownOutput()

        var buffer = [UInt8](repeating: 0, count: 64)
        let end = try #require(peer.end)
        #expect(buffer.withUnsafeMutableBytes { end.read(into: $0) } == .bytes(3))
        #expect(buffer.withUnsafeMutableBytes { end.read(into: $0) } == .ended)
        #expect(near.readText().text == "")
    }

    @Test func `A close reads a limited amount from a peer that keeps sending`() throws {
        let client = try client()
        let sent = try #require(peer.end).fill()
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)
        defer { scratch.deallocate() }

        client.close(scratch)

        #expect(near.readText().text.utf8.count == sent - 1_600)
    }

    @Test func `A descriptor that cannot be watched is refused`() throws {
        let file = Descriptor(file: open("/dev/null", O_RDONLY))
        let loop = loop

        #expect(throws: SystemError.self) { try Client(file, slot: 0, loop: loop) { _, _ in } }
    }
}
