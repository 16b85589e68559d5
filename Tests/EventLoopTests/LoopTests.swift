import Glibc
import TestSupport
import Testing

@testable import BusdEventLoop

@Suite struct LoopTests {
    let loop: Loop

    init() throws { loop = try Loop() }

    @Test func `A turn that must not wait returns although nothing is due`() {
        loop.turn(block: false)
    }

    @Test func `The clock counts microseconds`() {
        let (began, start) = (ContinuousClock.now, loop.now())

        #expect(loop.turns(forMicroseconds: 2_000) == 1)

        // The clock of the timers has a resolution of up to 10 ms.
        let span = Duration.microseconds(loop.now() - start)
        #expect(span >= .milliseconds(2) && span <= ContinuousClock.now - began + .milliseconds(20))
    }

    @Test func `A timer fires once, and not before its time`() {
        var fired = 0
        let timer = LoopTimer(loop: loop) { fired += 1 }
        #expect(!timer.isArmed)

        let start = loop.now()
        timer.arm(afterMicroseconds: 3_000)
        #expect(timer.isArmed)
        loop.turn(block: true)

        #expect(fired == 1)
        #expect(loop.now() - start >= 3_000)
        #expect(!timer.isArmed)
        loop.settle()
        #expect(fired == 1)
    }

    @Test(arguments: [0, -1, Int64.min]) func `A span of 0 or less is due in the next turn`(
        span: Int64
    ) {
        var fired = 0
        let timer = LoopTimer(loop: loop) { fired += 1 }

        timer.arm(afterMicroseconds: span)
        #expect(fired == 0)
        loop.turn(block: true)

        #expect(fired == 1)
    }

    @Test func `A timer may be armed for ever`() {
        let timer = LoopTimer(loop: loop) { Issue.record("too early") }

        timer.arm(afterMicroseconds: .max)
        loop.settle()

        #expect(timer.isArmed)
    }

    @Test func `A disarmed timer does not fire`() {
        let timer = LoopTimer(loop: loop) { Issue.record("fired") }

        timer.arm(afterMicroseconds: 0)
        timer.disarm()
        loop.settle()

        #expect(!timer.isArmed)
    }

    @Test func `A timer that is armed again forgets its former time`() {
        var fired = 0
        let timer = LoopTimer(loop: loop) { fired += 1 }

        timer.arm(afterMicroseconds: 60_000_000)
        timer.arm(afterMicroseconds: 0)
        loop.settle()

        #expect(fired == 1)
    }

    @Test func `A timer may arm itself in its own callback`() {
        var fired = 0
        var timer: LoopTimer?
        timer = LoopTimer(loop: loop) {
            fired += 1
            if fired < 3 { timer?.arm(afterMicroseconds: 0) }
        }

        timer?.arm(afterMicroseconds: 0)

        #expect(loop.turn { fired == 3 })
        timer = nil
    }

    @Test func `A timer counts from when it was armed, not from when the turn began`() {
        var fired: Int64?
        let late = LoopTimer(loop: loop) { fired = loop.now() }
        var armed: Int64 = 0
        let early = LoopTimer(loop: loop) {
            let start = loop.now()
            while loop.now() < start + 5_000 {}
            armed = loop.now()
            late.arm(afterMicroseconds: 3_000)
        }

        early.arm(afterMicroseconds: 0)

        #expect(loop.turn { fired != nil })
        #expect((fired ?? 0) - armed >= 3_000)
    }

    @Test func `A dropped timer does not fire, and frees what its closure held`() throws {
        final class Held {}
        weak var held: Held?
        do {
            let strong = Held()
            held = strong
            let timer = LoopTimer(loop: loop) { _ = strong }
            timer.arm(afterMicroseconds: 0)
        }

        loop.settle()

        #expect(held == nil)
    }

    @Test func `An event may be dropped inside its own callback`() {
        var fired = 0
        var timer: LoopTimer?
        timer = LoopTimer(loop: loop) {
            timer = nil
            fired += 1
        }

        timer?.arm(afterMicroseconds: 0)
        loop.settle()

        #expect(fired == 1)
        #expect(timer == nil)
    }

    @Test func `An event may be dropped by another that is due in the same turn`() {
        var fired = 0
        var timers: [LoopTimer] = []
        for _ in 0..<2 {
            timers.append(
                LoopTimer(loop: loop) {
                    fired += 1
                    timers = []
                })
        }

        for timer in timers { timer.arm(afterMicroseconds: 0) }
        loop.settle()

        #expect(fired == 1)
    }

    @Test func `A loop lives as long as its events`() throws {
        weak var loop: Loop?
        var timer: LoopTimer?
        do {
            let strong = try Loop()
            loop = strong
            timer = LoopTimer(loop: strong) {}
        }

        #expect(loop != nil)
        timer?.arm(afterMicroseconds: 0)
        timer = nil
        #expect(loop == nil)
    }

    @Test func `Without free descriptors a loop cannot be made`() async {
        await #expect(processExitsWith: .success) {
            try onOwnDescriptors {
                leaveDescriptors(0)
                let error = #expect(throws: SystemError.self) { try Loop() }
                #expect(error == SystemError(code: EMFILE, function: "event_base_new"))
            }
        }
    }

    @Test func `The reason why libevent ends the process is on standard error`() async {
        let result = await #expect(
            processExitsWith: .exitCode(1), observing: [\.standardErrorContent]
        ) {
            try onOwnDescriptors {
                leaveDescriptors(1)
                _ = try Loop()
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.hasPrefix("libevent: evsig_init_: socketpair: Too many open files\n"))
    }

    // Signals belong to the whole process, so each of these tests has its own process.

    @Test func `A signal is reported in the loop, each time`() async {
        await #expect(processExitsWith: .success) {
            unblock(SIGTERM)
            let loop = try Loop()
            var received = 0
            let event = try SignalEvent(loop: loop, signal: SIGTERM) { received += 1 }

            raise(SIGTERM)
            #expect(received == 0)
            #expect(loop.turn { received == 1 })
            raise(SIGTERM)
            #expect(loop.turn { received == 2 })
            withExtendedLifetime(event) {}
        }
    }

    @Test func `A dropped signal event restores the former action`() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            unblock(SIGTERM)
            let loop = try Loop()
            do { _ = try SignalEvent(loop: loop, signal: SIGTERM) {} }

            raise(SIGTERM)
        }
    }

    @Test func `An event for SIGKILL is refused`() throws {
        let error = #expect(throws: SystemError.self) {
            try SignalEvent(loop: loop, signal: SIGKILL) {}
        }
        #expect(error?.code == EINVAL)
    }

    @Test func `Writes to a closed pipe or past a file's limit are errors, not signals`() async {
        await #expect(processExitsWith: .success) {
            ignoreSignalsOfFailedWrites()
            let file = Descriptor(file: fileno(tmpfile()))
            limit(RLIMIT_FSIZE, to: 4)
            #expect(file.write("12345") == .bytes(4))
            #expect(file.write("5") == .failed(SystemError(code: EFBIG, function: "write")))
            limit(RLIMIT_FSIZE, to: nil)

            var pipe: [Int32] = [-1, -1]
            Glibc.pipe(&pipe)
            close(pipe[0])
            #expect(Descriptor(file: pipe[1]).write("1") == .ended)
        }
    }
}
