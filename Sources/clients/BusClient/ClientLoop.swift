package import BusdEventLoop
public import BusdProtocol
import Glibc

/// The loop of a client: it waits for the daemon, for timers, and for the program's own input.
///
/// A loop and all that is made on it belong to one thread.
public final class ClientLoop {
    package let loop: Loop
    /// Time that passes; in tests, time that is moved by hand.
    public let clock: any Clock
    private var isStopped = false

    /// - Throws: where the kernel gives no descriptor for the loop.
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

    /// Waits and calls back until `stop()` is called.
    public func run() {
        isStopped = false
        while !isStopped { loop.turn(block: true) }
    }

    public func stop() { isStopped = true }

    /// Calls `action` in every turn while something can be read, be it the end of input, for as
    /// long as the watch is held. A file and `/dev/null` can be read in every turn. Drop the watch
    /// before the descriptor is closed.
    /// - Throws: for a descriptor that is not open.
    public func whenReadable(
        _ descriptor: Int32, _ action: @escaping () -> Void
    ) throws(LoopFailure) -> Watch {
        do throws(SystemError) {
            return try watch(descriptor, for: .readable, action)
        } catch {
            // A read from a file never waits, so the kernel does not wait for a file either.
            guard error.code == EPERM else { throw LoopFailure(error) }
            return Watch(EveryTurn(loop, action))
        }
    }

    /// Calls `action` once, when nobody reads what is written there any more, for as long as the
    /// watch is held.
    /// - Throws: for a descriptor that cannot be waited for, such as a plain file.
    public func whenHungUp(
        _ descriptor: Int32, _ action: @escaping () -> Void
    ) throws(LoopFailure) -> Watch {
        do throws(SystemError) {
            return try watch(descriptor, for: .hangUp, action)
        } catch {
            throw LoopFailure(error)
        }
    }

    /// Calls `action` when the process gets a signal, for as long as the watch is held.
    /// - Throws: for a signal that nobody can catch.
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

    /// Something that the loop waits for, for as long as it is held.
    public final class Watch {
        private let event: AnyObject

        init(_ event: AnyObject) { self.event = event }
    }
}

/// What the system refused the loop.
public struct LoopFailure: Error, Equatable, CustomStringConvertible {
    public let description: String

    init(_ error: SystemError) { description = error.description }
}
