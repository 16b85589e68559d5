package import BusdEventLoop
public import BusdProtocol
import Glibc

/// The loop of a client: it waits for the daemon, for timers, and for the program's own input.
///
/// A loop, and everything that is created with it, belongs to one thread.
public final class ClientLoop {
    package let loop: Loop
    /// The real time; in tests, a time that the test moves.
    public let clock: any Clock
    private var isStopped = false

    /// - Throws: if the kernel gives no descriptor for the loop.
    public convenience init() throws(LoopFailure) {
        do throws(SystemError) {
            let loop = try Loop()
            self.init(loop: loop, clock: LoopClock(loop: loop))
        } catch {
            throw LoopFailure(error)
        }
    }

    package init(loop: Loop, clock: any Clock) {
        self.loop = loop
        self.clock = clock
    }

    /// Waits for events and calls their handlers, until `stop()` is called.
    public func run() {
        isStopped = false
        while !isStopped { loop.turn(block: true) }
    }

    /// Makes `run()` return after the handlers of this turn.
    public func stop() { isStopped = true }

    /// Calls `action` in every turn in which input, or the end of input, can be read, while the
    /// watch exists. A regular file and `/dev/null` can always be read. Release the watch before
    /// you close the descriptor.
    /// - Throws: if the descriptor is not open.
    public func whenReadable(
        _ descriptor: Int32, _ action: @escaping () -> Void
    ) throws(LoopFailure) -> Watch {
        do throws(SystemError) {
            return try watch(descriptor, for: .readable, action)
        } catch {
            // The kernel cannot watch a regular file: reading it never blocks.
            guard error.code == EPERM else { throw LoopFailure(error) }
            return Watch(EveryTurn(loop, action))
        }
    }

    /// Calls `action` once, when the other end of the descriptor is closed, while the watch exists.
    /// - Throws: if the kernel cannot watch the descriptor, as for a regular file.
    public func whenHungUp(
        _ descriptor: Int32, _ action: @escaping () -> Void
    ) throws(LoopFailure) -> Watch {
        do throws(SystemError) {
            return try watch(descriptor, for: .hangUp, action)
        } catch {
            throw LoopFailure(error)
        }
    }

    /// Calls `action` when the process gets a signal, while the watch exists.
    /// - Throws: if the signal cannot be caught.
    public func whenSignalled(
        _ signal: Int32, _ action: @escaping () -> Void
    ) throws(LoopFailure) -> Watch {
        do throws(SystemError) {
            return Watch(try SignalEvent(loop: loop, signal: signal, action: action))
        } catch {
            throw LoopFailure(error)
        }
    }

    private func watch(
        _ descriptor: Int32, for interest: DescriptorEvent.Interest, _ action: @escaping () -> Void
    ) throws(SystemError) -> Watch {
        let event = DescriptorEvent(loop: loop, descriptor: descriptor) { _ in action() }
        try event.watch(for: interest)
        return Watch(event)
    }

    /// Something that the loop watches, until this object is released.
    public final class Watch {
        private let event: AnyObject

        init(_ event: AnyObject) { self.event = event }
    }
}

/// The system refused to create a loop or a watch.
public struct LoopFailure: Error, Equatable, CustomStringConvertible {
    public let description: String

    init(_ error: SystemError) { description = error.description }
}
