import TestSupport
import Testing

extension Torture {
    /// Each system call on the store fails, or kills the daemon, in a separate run.
    @Suite(.serialized) struct SweepTests {
        private static let writes = "pwrite64,write,ftruncate"
        private static let syncs = "fdatasync,fsync"

        @Test(arguments: [writes, syncs])
        func `A kill in any system call loses no acknowledged change`(calls: String) throws {
            try sweep(calls, "signal=KILL", times: 1)
        }

        @Test(arguments: [writes, syncs], ["EIO", "ENOSPC"])
        func `A system call that fails loses no change that was acknowledged`(
            calls: String, error: String
        ) throws {
            try sweep(calls, "error=\(error)", times: 1)
            try sweep(calls, "error=\(error)", times: 7)
        }

        /// Hits each call from the first to the last, on a new store and on a store with a log. The
        /// short form leaves out most calls.
        private func sweep(_ calls: String, _ effect: String, times: Int) throws {
            guard Strace.isInstalled() else { return }
            var random = Torture.random(for: "sweep \(calls) \(effect)")
            let prepared = try Prepared(steps: random.number(4...8))
            for isNew in [true, false] {
                var hit = Torture.isLong ? 1 : random.number(1...15)
                var isHit = true
                while isHit {
                    let folder = try Folder()
                    if !isNew { try prepared.copy(to: folder) }
                    var run = FaultRun(
                        FaultRun.Fault(
                            calls: calls, effect: effect, hit: hit...(hit + times - 1)),
                        in: folder, holding: isNew ? ReferenceLibrary() : prepared.library)
                    isHit = try run.run()
                    hit += Torture.isLong ? 1 : random.number(20...40)
                }
                if Torture.isLong { print("sweep \(calls) \(effect) \(times): \(hit - 2) calls") }
            }
        }
    }
}

/// A store that a killed daemon has left. It has the first steps of the script, some of them only
/// in its log.
struct Prepared {
    private let folder: Folder
    private(set) var library = ReferenceLibrary()

    init(steps: Int) throws {
        folder = try Folder()
        let daemon = try DaemonFixture(in: folder)
        let client = try daemon.connect()
        for number in 0..<steps {
            let request = try library.request(client)
            #expect(try client.ask(request)?.isDone == true)
            library.take(Script.steps[number])
        }
        daemon.kill()
    }

    func copy(to other: Folder) throws {
        #expect(try Spawned.run(["cp", "-r", folder.state, other.state]).isSuccess)
    }
}
