import BusdOptions
import BusdProtocol
import TestSupport
import Testing

@testable import BusdDaemon

/// Which store a verb uses.
@Suite struct StoreChoiceTests {
    /// No daemon of the machine has this name.
    private let unknown = DaemonName("busd-test-\(UInt32.random(in: 0 ... .max))")
    private static let choices: [Choice] = [
        { try Maintenance(ofRunningDaemonOr: $0) }, { try Maintenance(ofStoppedDaemon: $0) },
    ]
    private typealias Choice = @Sendable (Settings) throws -> Maintenance

    @Test func `Without a daemon, the default store is used`() throws {
        let settings = try settings(of: unknown, environment: ["HOME": "/h"])
        for choose in Self.choices {
            #expect(try choose(settings).folder == "/h/.local/state/\(unknown)")
        }
    }

    @Test func `Without a daemon and a home, a folder must be named`() throws {
        let settings = try settings(of: unknown)
        for choose in Self.choices {
            let error = #expect(throws: UsageError.self) { _ = try choose(settings) }
            #expect(
                error?.description == """
                    \(unknown): name a folder with --state: $HOME is unset or not an absolute path
                    Try '\(unknown) --help'.
                    """)
        }
    }

    /// The folder that a verb chooses while the daemon runs, or the reason for the refusal.
    private func choice(
        _ choose: @escaping Choice, _ words: String..., home: String? = nil,
        beside bus: ServerFixture
    ) throws -> String {
        let found = SharedText()
        let variables = ["BUSD_SOCKET": bus.folder("busd.sock"), "HOME": home ?? ""]
        let refusal = bus.beside {
            let state = words.isEmpty ? [] : ["--state", words[0]]
            found.set(try choose(try settings(state, environment: variables)).folder)
        }
        return refusal ?? found.text
    }

    @Test func `The store of the running daemon comes before the default store`() throws {
        let bus = try ServerFixture(keepsState: true)
        for choose in Self.choices {
            #expect(try choice(choose, beside: bus) == bus.folder("state"))
            #expect(try choice(choose, home: "/h", beside: bus) == bus.folder("state"))
            #expect(try choice(choose, "/s", beside: bus) == "/s")
        }
        bus.kill()
    }

    @Test func `Only a verb for a running daemon minds that the daemon has no store`() throws {
        let bus = try ServerFixture()
        let chosen = try Self.choices.map { try choice($0, home: "/h", beside: bus) }
        let socket = bus.folder("busd.sock")
        #expect(
            chosen == [
                "\(socket): this daemon has no store: start it with --state DIR",
                "/h/.local/state/busd",
            ])
    }
}
