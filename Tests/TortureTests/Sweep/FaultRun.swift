import BusdProtocol
import Glibc
import Testing

/// One run of the script, in which a system call on the store is the last one or fails.
struct FaultRun {
    struct Fault: CustomStringConvertible {
        /// System calls that are counted together.
        let calls: String
        /// `signal=KILL` or `error=EIO`, in strace's words.
        let effect: String
        /// Of the calls, counted from 1.
        let hit: ClosedRange<Int>

        var isKill: Bool { effect == "signal=KILL" }
        var description: String { "\(calls):\(effect):when=\(hit.lowerBound)..\(hit.upperBound)" }
    }

    let fault: Fault
    let room: Room
    /// What the store in the room holds already.
    var library: ReferenceLibrary
    private var wasKilled = false

    init(_ fault: Fault, in room: Room, holding library: ReferenceLibrary) {
        self.fault = fault
        self.room = room
        self.library = library
    }

    /// Whether the fault came to be; if not, the script makes fewer such calls.
    mutating func run() throws -> Bool {
        let log = room("trace")
        let options = [
            "-e", "trace=\(fault.calls)", "-e", "inject=\(fault)",
        ]
        let daemon = try Daemon(starting: room, under: Strace.words(options, on: room, log: log))
        library.daemonRestarted()
        if try daemon.isReady(before: .deadline) { try play(daemon) }
        if !wasKilled { daemon.process.signal(SIGTERM) }
        let status = daemon.process.end()
        let mayBe = fault.isKill || wasKilled ? [0, 128 + SIGKILL] : Array(0...125)
        #expect(mayBe.contains(status), "\(fault): \(status) \(daemon.process.said)")

        try finish()
        let trace = String(decoding: try Whole.read(log), as: UTF8.self)
        return trace.contains("(INJECTED)") || fault.isKill && status != 0
    }

    /// With the fault.
    private mutating func play(_ daemon: Daemon) throws {
        let client = try daemon.connect()
        while library.stepsDone < Script.steps.count {
            guard let request = try? library.request(client) else {
                #expect(client.hasEnded && fault.isKill, "\(fault): a read is refused")
                return
            }
            guard let answer = try client.ask(request) else {
                #expect(fault.isKill, "\(fault): the daemon died")
                return
            }
            if answer.isDone {
                library.take(Script.steps[library.stepsDone])
            } else {
                try refused(answer, client)
                // A refused step must not come back to life.
                guard fault.hit.lowerBound.isMultiple(of: 2) else { continue }
                daemon.kill()
                wasKilled = true
                return
            }
        }
    }

    private var refusals = 0

    private mutating func refused(_ answer: Answer, _ client: Client) throws {
        #expect(answer.code == .unavailable, "\(fault): \(answer)")
        refusals += 1
        try #require(refusals < 60, "\(fault): it does not recover")
        let told = try Library(client)
        #expect(library.isTold(by: told), "\(fault): \(library) is shown as \(told)")
        let echo = try client.ask(
            #"{"op":"send","to":"echo/a","event":{"say":{"text":"a"}},"id":1}"#)
        #expect(echo?.isDone == true, "\(fault): echo")
    }

    /// Without the fault.
    private mutating func finish() throws {
        let daemon = try Daemon(in: room)
        let client = try daemon.connect()
        try expectKnown(try Library(client))
        while library.stepsDone < Script.steps.count {
            let request = try library.request(client)
            let answer = try client.ask(request)
            // A deletion that was done has no addressee that knows its key, but the list does.
            #expect(answer?.isDone == true, "\(fault): \(request) \(String(describing: answer))")
            library.take(Script.steps[library.stepsDone])
        }
        daemon.stop()
    }

    /// After a restart: as it was acknowledged, or one step further where that has no answer.
    private mutating func expectKnown(_ told: Library) throws {
        library.daemonRestarted()
        if library.isTold(by: told) { return }
        var further = library
        if library.stepsDone < Script.steps.count {
            further.take(Script.steps[library.stepsDone])
            further.daemonRestarted()
        }
        #expect(fault.isKill && further.isTold(by: told), "\(fault): \(library) \(told)")
        // Sent again, it must have no effect.
    }
}
