import BusdProtocol
import Glibc
import TestSupport
import Testing

/// One run of the script, in which a system call on the store fails or kills the daemon.
struct FaultRun {
    struct Fault: CustomStringConvertible {
        /// System calls that are counted together.
        let calls: String
        /// `signal=KILL` or `error=EIO`, in strace's words.
        let effect: String
        /// The numbers of the calls that are hit, from 1.
        let hit: ClosedRange<Int>

        var isKill: Bool { effect == "signal=KILL" }
        var description: String { "\(calls):\(effect):when=\(hit.lowerBound)..\(hit.upperBound)" }
    }

    let fault: Fault
    let folder: Folder
    /// The expected state of the store, which is in the folder already.
    var library: ReferenceLibrary
    private var wasKilled = false

    init(_ fault: Fault, in folder: Folder, holding library: ReferenceLibrary) {
        self.fault = fault
        self.folder = folder
        self.library = library
    }

    /// Returns whether the fault occurred; if not, the script makes fewer such calls.
    mutating func run() throws -> Bool {
        let log = folder("trace")
        let options = [
            "-e", "trace=\(fault.calls)", "-e", "inject=\(fault)",
        ]
        let daemon = try DaemonFixture(
            starting: folder, under: Strace.words(options, on: folder, log: log))
        library.daemonRestarted()
        if try daemon.isReady(before: .deadline) { try play(daemon) }
        if !wasKilled { daemon.process.signal(SIGTERM) }
        let status = daemon.process.end()
        let mayBe = fault.isKill || wasKilled ? [0, 128 + SIGKILL] : Array(0...125)
        #expect(mayBe.contains(status), "\(fault): \(status) \(daemon.process.lines)")

        try finish()
        let trace = String(decoding: try bytes(of: log), as: UTF8.self)
        return trace.contains("(INJECTED)") || fault.isKill && status != 0
    }

    /// Plays the script on the daemon with the fault.
    private mutating func play(_ daemon: DaemonFixture) throws {
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
                // In every second run the daemon is killed: a refused step must not be there
                // afterwards.
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
        let shown = try Library(client)
        #expect(library.isShown(by: shown), "\(fault): \(library) is shown as \(shown)")
        let echo = try client.ask(
            #"{"op":"send","to":"echo/a","event":{"say":{"text":"a"}},"id":1}"#)
        #expect(echo?.isDone == true, "\(fault): echo")
    }

    /// Plays the rest of the script on a daemon without a fault.
    private mutating func finish() throws {
        let daemon = try DaemonFixture(in: folder)
        let client = try daemon.connect()
        try expectKnown(try Library(client))
        while library.stepsDone < Script.steps.count {
            let request = try library.request(client)
            let answer = try client.ask(request)
            // A game that is deleted already has no id, but the list knows the key of its deletion.
            #expect(answer?.isDone == true, "\(fault): \(request) \(String(describing: answer))")
            library.take(Script.steps[library.stepsDone])
        }
        daemon.stop()
    }

    /// After a restart: the acknowledged state, or one step further if this step has no answer.
    private mutating func expectKnown(_ shown: Library) throws {
        library.daemonRestarted()
        if library.isShown(by: shown) { return }
        var further = library
        if library.stepsDone < Script.steps.count {
            further.take(Script.steps[library.stepsDone])
            further.daemonRestarted()
        }
        #expect(fault.isKill && further.isShown(by: shown), "\(fault): \(library) \(shown)")
        // A step that took effect is sent again, and must have no further effect.
    }
}
