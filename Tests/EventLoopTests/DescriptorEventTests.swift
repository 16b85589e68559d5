import Glibc
import TestSupport
import Testing

@testable import BusdEventLoop

@Suite struct DescriptorEventTests {
    let loop: Loop
    let near: Descriptor
    private let peer: Peer
    let seen = Seen()

    /// What a test's event was told.
    final class Seen {
        var ready: [DescriptorEvent.Interest] = []

        func take() -> [DescriptorEvent.Interest] {
            defer { ready = [] }
            return ready
        }
    }

    private final class Peer { var end: Descriptor? }

    init() throws {
        loop = try Loop()
        peer = Peer()
        (near, peer.end) = try socketPair()
    }

    private func event(_ interest: DescriptorEvent.Interest) throws -> DescriptorEvent {
        let seen = seen
        let event = DescriptorEvent(loop: loop, descriptor: near.number) { seen.ready.append($0) }
        try event.watch(for: interest)
        return event
    }

    @Test func `an event is dormant until it is told what to watch for`() {
        let event = DescriptorEvent(loop: loop, descriptor: near.number) { _ in
            Issue.record("called")
        }

        _ = peer.end?.write("a")
        loop.settle()

        #expect(event.interest == [])
    }

    @Test func `readable is told in every turn until it was read`() throws {
        let event = try event(.readable)
        loop.turn(block: false)
        #expect(seen.take() == [])

        _ = peer.end?.write("a")
        loop.turn(block: true)
        loop.turn(block: true)
        #expect(seen.take() == [.readable, .readable])

        #expect(near.readText().1 == "a")
        loop.turn(block: false)
        #expect(seen.take() == [])
        #expect(event.interest == .readable)
    }

    @Test func `a turn that does not wait is one pass too`() throws {
        let event = try event(.readable)
        _ = peer.end?.write("a")

        loop.turn(block: false)

        #expect(seen.take() == [.readable])
        withExtendedLifetime(event) {}
    }

    @Test func `writable is told where there is room, and no longer where there is none`() throws {
        let event = try event(.writable)
        loop.turn(block: true)
        #expect(seen.take() == [.writable])

        #expect(near.fill() > 0)
        loop.turn(block: false)
        #expect(seen.take() == [])

        while peer.end?.readText().0 != .wouldBlock {}
        loop.turn(block: true)
        #expect(seen.take() == [.writable])
        withExtendedLifetime(event) {}
    }

    @Test func `both are told at once`() throws {
        let event = try event([.readable, .writable])
        _ = peer.end?.write("a")

        loop.turn(block: true)

        #expect(seen.take() == [[.readable, .writable]])
        withExtendedLifetime(event) {}
    }

    @Test func `interest changes, ends, and comes back`() throws {
        let event = try event(.readable)
        _ = peer.end?.write("a")

        try event.watch(for: .writable)
        loop.turn(block: true)
        #expect(seen.take() == [.writable])

        event.disable()
        loop.settle()
        #expect(seen.take() == [])
        #expect(event.interest == [])

        try event.watch(for: [.readable, .hangUp])
        try event.watch(for: [.readable, .hangUp])
        loop.turn(block: true)
        #expect(seen.take() == [.readable])

        try event.watch(for: [])
        loop.settle()
        #expect(seen.take() == [])
    }

    @Test func `the end of input is readable`() throws {
        let event = try event(.readable)
        peer.end?.shutDownOutput()

        loop.turn(block: true)

        #expect(seen.take() == [.readable])
        #expect(near.readText().0 == .ended)
        withExtendedLifetime(event) {}
    }

    @Test(arguments: [false, true]) func `a peer that dies is a hang-up, told once`(
        halfClosedBefore: Bool
    ) throws {
        if halfClosedBefore { peer.end?.shutDownOutput() }
        let event = try event(.hangUp)
        loop.settle()
        #expect(seen.take() == [])

        peer.end = nil
        loop.turn(block: true)
        #expect(seen.take() == [.hangUp])

        loop.settle()
        #expect(seen.take() == [])
        #expect(event.interest == [])
    }

    @Test func `a peer that dies with unread input is a hang-up`() throws {
        let event = try event(.hangUp)
        _ = near.write("never read")

        peer.end = nil
        loop.turn(block: true)

        #expect(seen.take() == [.hangUp])
        withExtendedLifetime(event) {}
    }

    @Test func `a peer that died before the watch began is a hang-up`() throws {
        peer.end = nil
        let event = try event(.hangUp)

        loop.turn(block: true)

        #expect(seen.take() == [.hangUp])
        withExtendedLifetime(event) {}
    }

    @Test func `a half-closed peer that lives is no hang-up, and costs no turns`() throws {
        let event = try event(.hangUp)

        peer.end?.shutDownOutput()
        let turns = try #require(loop.turns(forMicroseconds: 20_000))

        #expect(turns <= 2)
        #expect(seen.take() == [])
        withExtendedLifetime(event) {}
    }

    @Test func `input that nobody reads is no hang-up, the death of its sender is`() throws {
        let event = try event(.hangUp)
        #expect(peer.end?.fill() ?? 0 > 0)
        loop.settle()
        #expect(seen.take() == [])

        peer.end = nil
        loop.turn(block: true)

        #expect(seen.take() == [.hangUp])
        withExtendedLifetime(event) {}
    }

    @Test func `the death of a peer is writable too, where output was stuck`() throws {
        let event = try event(.writable)
        #expect(near.fill() > 0)
        loop.settle()
        #expect(seen.take() == [])

        peer.end = nil
        loop.turn(block: true)

        #expect(seen.take() == [.writable])
        #expect(near.write("a") == .ended)
        withExtendedLifetime(event) {}
    }

    @Test func `an event may be dropped inside its own callback`() throws {
        var calls = 0
        var event: DescriptorEvent?
        event = DescriptorEvent(loop: loop, descriptor: near.number) { _ in
            calls += 1
            event = nil
        }
        try event?.watch(for: .writable)

        loop.settle()

        #expect(calls == 1)
    }

    @Test func `a plain file cannot be waited for`() throws {
        let file = Descriptor(file: fileno(tmpfile()))
        let event = DescriptorEvent(loop: loop, descriptor: file.number) { _ in }

        let error = #expect(throws: SystemError.self) { try event.watch(for: .readable) }

        #expect(error == SystemError(code: EPERM, function: "event_add"))
        #expect(event.interest == [])
    }
}
