import BusdApplicationTestSupport
import BusdEcho
import BusdGamesEvents
import BusdProtocol
import BusdTestKit
import Testing

@Suite struct TestKitHelperTests {
    @Test func `Advancing the time by a span fires every timer that is due in it`() {
        let time = Timeline(now: .seconds(5))
        var fired: [Instant] = []
        let early = time.schedule(after: .seconds(1)) { fired.append(time.now) }
        let late = time.schedule(after: .seconds(3)) { fired.append(time.now) }
        time.advance(by: .seconds(2))
        #expect(time.now == .seconds(7))
        #expect(fired == [.seconds(6)])
        time.advance(by: .seconds(2))
        #expect(fired == [.seconds(6), .seconds(8)])
        withExtendedLifetime((early, late)) {}
    }

    @Test func `A directory keeps what was added, and forgets an address with all below it`() throws
    {
        let directory = RecordingDirectory()
        for text in ["a", "a/b", "a/b/c", "ab"] {
            directory.add(Echo.self, at: try address(text))
        }
        directory.add(Player.self, at: try address("p"))
        directory.remove(try address("a/b"))
        #expect(
            directory.kinds == [
                try address("a"): "echo", try address("ab"): "echo", try address("p"): "player",
            ])
    }
}
