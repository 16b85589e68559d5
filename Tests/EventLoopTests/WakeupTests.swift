import Glibc
import TestSupport
import Testing

@testable import BusdEventLoop

@Suite struct WakeupTests {
    let loop: Loop

    init() throws { loop = try Loop() }

    @Test func `Several pokes before a turn cause one callback`() throws {
        var calls = 0
        let wakeup = try Wakeup(loop: loop) { calls += 1 }
        loop.settle()
        #expect(calls == 0)

        wakeup.signal()
        wakeup.signal()
        loop.settle()
        #expect(calls == 1)

        wakeup.signal()
        #expect(loop.turn { calls == 2 })
    }

    @Test func `Another thread wakes a loop that waits`() throws {
        var calls = 0
        let wakeup = try Wakeup(loop: loop) { calls += 1 }
        let poke = Poke(wakeup.signal)
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let poke = Unmanaged<Poke>.fromOpaque(context).takeUnretainedValue()
                poke.action()
                return nil
            }, Unmanaged.passUnretained(poke).toOpaque())
        #expect(loop.turn { calls == 1 })
        pthread_join(thread, nil)
    }

    private final class Poke: Sendable {
        let action: @Sendable () -> Void
        init(_ action: @escaping @Sendable () -> Void) { self.action = action }
    }
}
