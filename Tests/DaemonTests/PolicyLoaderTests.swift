import BusdBroker
import BusdEventLoop
import BusdHosting
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import BusdDaemon

@Suite struct `A policy that is read again` {
    @Test func `A slow directory of names keeps the loop free`() throws {
        let folder = try Folder()
        try folder.write("ann look **\ncid look **\n", to: "policy")
        let (directory, woken) = (Gate(), Gate())
        let accounts = Accounts(
            find: { _, name in
                directory.wait()
                return name == "ann" ? 1_001 : nil
            }, groups: { _ in [] })
        let loader = PolicyLoader(PolicyFile(path: folder("policy")), accounts) { woken.open() }
        var outcomes: [PolicyLoader.Outcome] = []
        try loader.begin([]) { outcomes.append($0) }
        loader.attend()
        #expect(loader.isReading && outcomes.isEmpty)
        directory.open()
        woken.wait()
        loader.attend()
        #expect(!loader.isReading && outcomes.count == 1)
        let content = try #require(try outcomes.first?.get())
        #expect(content.policy.rules.map(\.line) == [1])
        #expect(
            content.warnings == [
                "\(folder("policy")):2:1: there is no user 'cid': this line matches nobody"
            ])
        loader.attend()
        #expect(outcomes.count == 1)
    }
}

/// Lets threads pass when it is open.
private final class Gate: Sendable {
    private let ends: (read: Int32, write: Int32)

    init() {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        self.ends = (ends[0], ends[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    func open() { _ = write(ends.write, "x", 1) }

    /// Until a minute has passed.
    func wait() { #expect(Wait.forReadable(ends.read, milliseconds: 60_000)) }
}
