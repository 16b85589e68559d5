import Glibc
import TestSupport
import Testing

@testable import BusdEventLoop

@Suite struct DescriptorEventTests {
    let loop: Loop
    let near: Descriptor
    private let peer: Peer
    let seen = Seen()

    /// What a test's event has reported.
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

    @Test func `An event reports nothing before it has an interest`() {
        let event = DescriptorEvent(loop: loop, descriptor: near.number) { _ in
            Issue.record("called")
        }

        _ = peer.end?.write("a")
        loop.settle()

        #expect(event.interest == [])
    }

    @Test func `Readable is reported in every turn until the input is read`() throws {
        let event = try event(.readable)
        loop.turn(block: false)
        #expect(seen.take() == [])

        _ = peer.end?.write("a")
        loop.turn(block: true)
        loop.turn(block: true)
        #expect(seen.take() == [.readable, .readable])

        #expect(near.readOnce().1 == "a")
        loop.turn(block: false)
        #expect(seen.take() == [])
        #expect(event.interest == .readable)
    }

    @Test func `A turn that does not block reports each event once, too`() throws {
        let event = try event(.readable)
        _ = peer.end?.write("a")

        loop.turn(block: false)

        #expect(seen.take() == [.readable])
        withExtendedLifetime(event) {}
    }

    @Test func `Writable is reported while there is room, and not without room`() throws {
        let event = try event(.writable)
        loop.turn(block: true)
        #expect(seen.take() == [.writable])

        #expect(near.fill() > 0)
        loop.turn(block: false)
        #expect(seen.take() == [])

        while peer.end?.readOnce().0 != .wouldBlock {}
        loop.turn(block: true)
        #expect(seen.take() == [.writable])
        withExtendedLifetime(event) {}
    }

    @Test func `Readable and writable are reported together`() throws {
        let event = try event([.readable, .writable])
        _ = peer.end?.write("a")

        loop.turn(block: true)

        #expect(seen.take() == [[.readable, .writable]])
        withExtendedLifetime(event) {}
    }

    @Test func `The interest of an event can change, end and begin again`() throws {
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

    @Test func `The end of input is reported as readable`() throws {
        let event = try event(.readable)
        peer.end?.shutDownOutput()

        loop.turn(block: true)

        #expect(seen.take() == [.readable])
        #expect(near.readOnce().0 == .ended)
        withExtendedLifetime(event) {}
    }

    @Test(arguments: [false, true]) func `A peer that closes is reported once as a hang-up`(
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

    @Test func `A peer that closes with unread input is reported as a hang-up`() throws {
        let event = try event(.hangUp)
        _ = near.write("never read")

        peer.end = nil
        loop.turn(block: true)

        #expect(seen.take() == [.hangUp])
        withExtendedLifetime(event) {}
    }

    @Test func `A peer that closed before the watch began is reported as a hang-up`() throws {
        peer.end = nil
        let event = try event(.hangUp)

        loop.turn(block: true)

        #expect(seen.take() == [.hangUp])
        withExtendedLifetime(event) {}
    }

    @Test func `A half-closed peer is not reported as a hang-up, and causes no turns`() throws {
        let event = try event(.hangUp)

        peer.end?.shutDownOutput()
        let turns = try #require(loop.turns(forMicroseconds: 20_000))

        #expect(turns <= 2)
        #expect(seen.take() == [])
        withExtendedLifetime(event) {}
    }

    @Test func `Unread input does not hide the hang-up of its sender`() throws {
        let event = try event(.hangUp)
        #expect(peer.end?.fill() ?? 0 > 0)
        loop.settle()
        #expect(seen.take() == [])

        peer.end = nil
        loop.turn(block: true)

        #expect(seen.take() == [.hangUp])
        withExtendedLifetime(event) {}
    }

    @Test func `A peer that closes is reported as writable if the output was full`() throws {
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

    @Test func `An event may be dropped inside its own callback`() throws {
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

    @Test func `A regular file cannot be watched`() throws {
        let file = Descriptor(file: fileno(tmpfile()))
        let event = DescriptorEvent(loop: loop, descriptor: file.number) { _ in }

        let error = #expect(throws: SystemError.self) { try event.watch(for: .readable) }

        #expect(error == SystemError(code: EPERM, function: "event_add"))
        #expect(event.interest == [])
    }
}
