import BusdEventLoop
import BusdHosting
import BusdOptions
import BusdProtocol
import TestSupport
import Testing

@testable import BusdDaemon

/// `kitchend` with `--state` on the store of busd.
@Suite struct OtherDaemonTests {
    private let folder: Folder
    private var state: String { folder("state") }
    private var refusal: String {
        "\(state) is the store of another daemon than kitchend: name another folder with --state"
    }

    init() throws { folder = try Folder() }

    private func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in names(in: state) { files[name] = try bytes(of: "\(state)/\(name)") }
        return files
    }

    /// Starts kitchend, and expects these lines in its log.
    private func start(_ words: String..., logging lines: [String] = []) throws {
        let logged = try LogPipe()
        let settings = try settings(words, of: "kitchend", environment: [:])
        let daemon = try DurableState(settings, loop: Loop(), log: logged.log())
        let host = Host(openLibraries: daemon.openLibraries, openPasswords: daemon.openPasswords)
        for application in applications { try application.install(on: host) }
        _ = host.passwords
        defer {
            daemon.close()
            #expect(logged.lines() == lines)
        }
        try daemon.open(host)
    }

    private static func house(_ word: String, _ kitchend: Maintenance) throws {
        let options = DaemonOptions(of: "kitchend")
        let program = Program(
            "kitchend", version: "1", "", options: options.all,
            verbs: Maintenance.verbs(hasUsers: false))
        guard case .run(let arguments) = try program.parse(["house", word]) else { return }
        try HouseCommand(arguments, options, kitchend.daemon).run { kitchend }
    }

    private func verbs(_ backup: String) throws -> [@Sendable () throws -> Void] {
        let kitchend = try Maintenance(settings("--state", state, of: "kitchend"))
        let copy = folder("copy")
        let houseVerbs = ["leave", "status"].map { word in
            { @Sendable () throws in try Self.house(word, kitchend) }
        }
        return houseVerbs + [
            { try kitchend.restore(from: backup) },
            { try kitchend.run(.list) },
            { try kitchend.backUp(to: copy) },
        ]
    }

    /// Fails, and returns the reason.
    private func reason(_ use: () throws -> Void) -> String? {
        let error = #expect(throws: (any Error).self) { try use() }
        return error.map { "\($0)" }
    }

    @Test func `A daemon and its verbs refuse the store of another, and change nothing`() throws {
        let backup = folder("backup")
        try ServerFixture(in: folder, keepsState: true).end()
        try Maintenance(Settings(in: folder, keepsState: true)).backUp(to: backup)
        let before = try files()
        #expect(reason { try start("--state", state) } == refusal)
        for verb in try verbs(backup) { #expect(reason(verb) == refusal) }
        let check = #expect(throws: StartError.self) {
            try Maintenance(settings("--state", state, of: "kitchend")).check()
        }
        #expect(check?.description == refusal && check?.status == .failed)
        let replay = #expect(throws: StartError.self) {
            try start("--replay", backup, logging: ["testd: reading \(backup)"])
        }
        #expect(
            replay?.description
                == "\(backup) is a backup of another daemon than kitchend: name another file")
        #expect(replay?.status == .badInput)
        #expect(try files() == before)
        #expect(!folder.names.contains("copy"))
        let bus = try ServerFixture(in: folder, keepsState: true)
        #expect(bus.logged.lines() == [])
        bus.kill()
    }

    @Test func `The verbs of a daemon ask no other daemon`() throws {
        let bus = try ServerFixture(in: folder, keepsState: true)
        try folder.write("", to: "backup")
        for verb in try verbs(folder("backup")) { #expect(bus.beside(verb) == refusal) }
        #expect(bus.logged.lines() == [])
        bus.kill()
        #expect(!folder.names.contains("copy"))
        #expect(!names(in: state).contains { ["backup.sqlite", "restore.sqlite"].contains($0) })
    }
}
