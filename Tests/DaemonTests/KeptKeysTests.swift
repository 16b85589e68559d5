import BusdGames
import BusdProtocol
import TestSupport
import Testing

/// A key that was answered is known after a restart, for each event that can change something
/// durable, also if the event had no effect.
@Suite struct KeptKeysTests {
    /// Events without an effect on a game without moves.
    private static let needless = [
        ("games", #"{"deleteGame":{"game":"7"}}"#), ("games", #"{"deleteGame":{"game":"none"}}"#),
        ("scoreboard/1", #""undo""#), ("scoreboard/1", #""pause""#),
        ("game-creator/a", #""createTapped""#),
    ]

    @Test(arguments: needless, [false, true])
    func `The key of an event without effect is known after a restart`(
        send: (address: String, event: String), isKilled: Bool
    ) throws {
        let folder = try Folder()
        let line = TestClient.line(send.address, send.event)
        do {
            let bus = try ServerFixture(in: folder, keepsState: true)
            let client = try bus.connect()
            client.send(DurableStateTests.game)
            client.expect(#"{"ok":{"seq":[1,2],"changed":true,"made":"scoreboard/1"},"id":1}"#)
            client.expectNoEffect(of: line)
            if isKilled { bus.kill() } else { bus.end() }
        }
        let bus = try ServerFixture(in: folder, keepsState: true)
        try bus.connect().expectDuplicate(of: line)
        bus.kill()
    }
}
