import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdClient
@testable import BusdEventLoop

@Suite struct ClientLoopTests {
    /// The calls of handlers, in order.
    final class Notes { var all: [String] = [] }

    let loop: ClientLoop
    let notes = Notes()

    init() throws { loop = try ClientLoop() }

    @Test func `Timers fire when they are due, in the order in which they were made`() {
        let notes = notes
        let start = loop.clock.now
        let last = loop.clock.schedule(after: .milliseconds(4)) { [loop] in loop.stop() }
        let late = loop.clock.schedule(after: .milliseconds(2)) { notes.all.append("late") }
        let due = start + .milliseconds(1)
        let first = loop.clock.schedule(at: due) { notes.all.append("first") }
        let second = loop.clock.schedule(at: due) { notes.all.append("second") }
        withExtendedLifetime((first, second, late, last)) { loop.run() }

        #expect(notes.all == ["first", "second", "late"])
        #expect(loop.clock.now - start >= .milliseconds(4))
    }

    @Test func `A timer that was dropped does not fire`() {
        let notes = notes
        _ = loop.clock.schedule(after: .zero) { notes.all.append("dropped") }
        let end = loop.clock.schedule(after: .milliseconds(1)) { [loop] in loop.stop() }
        withExtendedLifetime(end) { loop.run() }
        #expect(notes.all == [])
    }

    @Test func `A timer may set another`() {
        final class Chain { var timers: [ScheduledAction] = [] }
        let chain = Chain()
        let (loop, notes) = (loop, notes)
        chain.timers.append(
            loop.clock.schedule(after: .zero) {
                notes.all.append("one")
                chain.timers.append(
                    loop.clock.schedule(after: .zero) {
                        notes.all.append("two")
                        loop.stop()
                    })
            })
        loop.run()
        #expect(notes.all == ["one", "two"])
        chain.timers = []
    }

    @Test func `A descriptor is watched for as long as the watch is held`() throws {
        let (near, far) = try socketPair()
        let notes = notes
        var watch: ClientLoop.Watch? = try loop.whenReadable(near.number) {
            notes.all.append("readable")
        }
        loop.loop.turn(block: false)
        #expect(notes.all == [])
        far.shutDownOutput()
        loop.loop.turn(block: true)
        #expect(notes.all == ["readable"])
        withExtendedLifetime(watch) {}
        watch = nil
        loop.loop.turn(block: false)
        #expect(notes.all == ["readable"])
    }

    @Test func `Watching a missing descriptor or SIGKILL is an error`() throws {
        #expect(throws: LoopFailure.self) { _ = try loop.whenReadable(100_000) {} }
        #expect(throws: LoopFailure.self) { _ = try loop.whenSignalled(SIGKILL) {} }
    }

    @Test(arguments: ["/dev/null", "/etc/passwd"])
    func `A file can be read in every turn until the watch is dropped`(path: String) throws {
        let file = Descriptor(file: open(path, O_RDONLY | O_CLOEXEC))
        final class Holder { var watch: ClientLoop.Watch? }
        let (holder, notes, loop) = (Holder(), notes, loop)
        holder.watch = try loop.whenReadable(file.number) {
            notes.all.append("readable")
            if notes.all.count == 3 { holder.watch = nil }
        }
        for _ in 0..<5 { loop.loop.turn(block: false) }
        #expect(notes.all == ["readable", "readable", "readable"])
    }
}
