import BusdProtocol
import Glibc
import TestSupport
import Testing

extension Torture {
    /// The disk loses data that was not synced.
    @Suite(.serialized) struct PowerCutTests {
        @Test(arguments: [true, false])
        func `Changes acknowledged before a power cut are there after it`(isNew: Bool) throws {
            guard Strace.isInstalled() else { return }
            var random = Torture.random(for: "power cut")
            let prepared = try Prepared(steps: isNew ? 0 : 6)
            let folder = try Folder()
            if !isNew { try prepared.copy(to: folder) }
            // The test does not cover a loss of the folder itself.
            mkdir(folder.state, 0o700)
            let before = isNew ? [:] : try files(in: folder)
            let events = try record(prepared.library, in: folder)

            var cut = Torture.isLong ? 0 : random.number(0...20)
            while cut <= events.count {
                var disk = TracedDisk(folder: folder.state, holding: before)
                for event in events[..<cut] { disk.take(event) }
                let acknowledged = acknowledged(events[..<cut], from: prepared.library.stepsDone)
                try expect(disk.afterCut(), acknowledged, "cut \(cut)", in: folder)
                try expect(disk.afterCut(&random), acknowledged, "cut \(cut), dice", in: folder)
                cut += Torture.isLong ? 1 : random.number(20...40)
            }
            print("power cut: \(events.count) events")
        }

        @Test func `No answer is sent before its change is synced`() throws {
            guard Strace.isInstalled() else { return }
            let folder = try Folder()
            let daemon = try DaemonFixture(in: folder, under: Trace.words(log: folder("trace")))
            let first = try daemon.connect()
            #expect(try first.ask(Line.createGame("<create>", key: "<create>"))?.isDone == true)
            let clients = try (0..<8).map { _ in try daemon.connect() }
            for number in 0..<(Torture.isLong ? 200 : 5) {
                for (index, client) in clients.enumerated() {
                    try client.send(
                        Line.createGame("<\(index)-\(number)>", key: "<\(index)-\(number)>"))
                }
                for client in clients { #expect(try answer(client).isDone) }
            }
            daemon.kill()
            try expectOrder(try Trace(folder("trace")).events)
        }

        // MARK: Cuts

        private func files(in folder: Folder) throws -> [String: [UInt8]] {
            var files: [String: [UInt8]] = [:]
            let databases = Folder.databases.flatMap { [$0, "\($0)-wal"] }
            for name in databases + ["store.ids"] {
                let path = "\(folder.state)/\(name)"
                if access(path, F_OK) == 0 { files[path] = try bytes(of: path) }
            }
            return files
        }

        /// Plays the rest of the script and stops the daemon. Returns its system calls.
        private func record(
            _ library: ReferenceLibrary, in folder: Folder
        ) throws -> [Trace.Event] {
            let daemon = try DaemonFixture(in: folder, under: Trace.words(log: folder("trace")))
            let client = try daemon.connect()
            var library = library
            while library.stepsDone < Script.steps.count {
                #expect(try client.ask(library.request(client))?.isDone == true)
                library.take(Script.steps[library.stepsDone])
            }
            daemon.stop()
            return try Trace(folder("trace")).events
        }

        /// The number of steps that are answered after these events.
        private func acknowledged(_ events: ArraySlice<Trace.Event>, from start: Int) -> Int {
            var count = start
            for case .sent(let bytes) in events {
                let text = String(decoding: bytes, as: UTF8.self)
                if text.contains(#""id":"step \#(count)""#) { count += 1 }
            }
            return count
        }

        private func expect(
            _ files: [String: [UInt8]], _ acknowledged: Int, _ what: String, in folder: Folder
        ) throws {
            let later = try Folder()
            mkdir(later.state, 0o700)
            for (path, bytes) in files {
                let name = path.split(separator: "/").last ?? ""
                try write(bytes, to: "\(later.state)/\(name)")
            }
            let daemon = try DaemonFixture(in: later)
            let shown = try Library(try daemon.connect())
            let may = (acknowledged...min(acknowledged + 1, Script.steps.count)).map { count in
                var library = ReferenceLibrary()
                for step in Script.steps[..<count] { library.take(step) }
                library.daemonRestarted()
                return library
            }
            #expect(
                may.contains { $0.isShown(by: shown) },
                "\(what): \(acknowledged) acknowledged, \(shown) \(daemon.process.lines)")
            daemon.kill()
        }

        // MARK: Order

        private func answer(_ client: Client) throws -> Answer {
            while let line = try client.line() {
                if let answer = Answer(line) { return answer }
            }
            throw GaveUp(description: "the daemon has closed")
        }

        private func expectOrder(_ events: [Trace.Event]) throws {
            var written: [String: Set<String>] = [:]
            var durable: Set<String> = []
            var answered = 0
            for event in events {
                switch event {
                case .wrote(let path, let bytes, _) where path.contains("/log.sqlite"):
                    written[path, default: []].formUnion(keys(bytes))
                case .synced(let path): durable.formUnion(written.removeValue(forKey: path) ?? [])
                case .sent(let bytes):
                    let keys = keys(bytes)
                    answered += keys.count
                    #expect(durable.isSuperset(of: keys), "\(keys.subtracting(durable)) came early")
                default: break
                }
            }
            #expect(answered > 40)
        }

        /// All texts in angle brackets.
        private func keys(_ bytes: [UInt8]) -> Set<String> {
            var keys: Set<String> = []
            for part in bytes.split(separator: UInt8(ascii: "<")).dropFirst() {
                guard let end = part.firstIndex(of: UInt8(ascii: ">")) else { continue }
                keys.insert(String(decoding: part[..<end], as: UTF8.self))
            }
            return keys
        }
    }
}
