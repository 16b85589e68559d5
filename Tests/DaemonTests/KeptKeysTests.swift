import BusdBooks
import BusdProtocol
import BusdStorage
import TestSupport
import Testing

@testable import BusdDaemon

/// A key that was answered is known after a restart, for each event that can change something
/// durable, also if the event had no effect.
@Suite struct KeptKeysTests {
    private static let book =
        #"{"op":"send","to":"books","event":{"importBook":{"name":"B","cards":["#
        + #"{"front":"f","back":"b"}]}},"id":1}"#

    /// Events without an effect on a game without moves, and on a book with a hidden card.
    private static let needless = [
        ("games", #"{"deleteGame":{"game":"7"}}"#), ("games", #"{"deleteGame":{"game":"none"}}"#),
        ("scoreboard/1", #""undo""#), ("scoreboard/1", #""pause""#),
        ("books", #"{"moveBook":{"book":"1","to":0}}"#), ("books", #"{"deleteBook":{"book":"?"}}"#),
        ("study/1", #""known""#), ("study/1", #""unknown""#), ("study/1", #""undo""#),
        ("study/1", #""again""#), ("game-creator/a", #""createTapped""#),
        ("book-creator/a", #""addTapped""#),
    ]

    private static func line(_ address: String, _ event: String) -> String {
        #"{"op":"send","to":"\#(address)","event":\#(event),"id":2,"key":"other"}"#
    }

    @Test(arguments: needless, [false, true])
    func `The key of an event without effect is known after a restart`(
        send: (address: String, event: String), isKilled: Bool
    ) throws {
        let folder = try Folder()
        let line = Self.line(send.address, send.event)
        do {
            let bus = try ServerFixture(in: folder, keepsState: true)
            let client = try bus.connect()
            client.send(DurableStateTests.game)
            client.expect(#"{"ok":{"seq":[1,2],"changed":true,"made":"scoreboard/1"},"id":1}"#)
            client.send(Self.book)
            client.expect(#"{"ok":{"seq":[1,2],"changed":true,"made":"study/1"},"id":1}"#)
            client.send(line)
            client.expect(#"{"ok":{"changed":false},"id":2}"#)
            client.send(line)
            client.expect(#"{"ok":{"changed":false,"duplicate":true},"id":2}"#)
            if isKilled { bus.kill() } else { bus.end() }
        }
        let bus = try ServerFixture(in: folder, keepsState: true)
        let client = try bus.connect()
        client.send(line)
        client.expect(#"{"ok":{"duplicate":true},"id":2}"#)
        bus.kill()
    }

    @Test func `A draft that was submitted before a kill makes no second book`() throws {
        let folder = try Folder()
        let add = #"{"addTapped":{"name":"N","text":"f\tb"}}"#
        let line = Self.line("book-creator/a", add)
        do {
            let bus = try ServerFixture(in: folder, keepsState: true)
            let client = try bus.connect()
            client.send(line)
            client.expect(#"{"ok":{"seq":[1,1],"changed":true,"made":"study/1"},"id":2}"#)
            bus.kill()
        }
        let bus = try ServerFixture(in: folder, keepsState: true)
        let client = try bus.connect()
        client.send(line)
        client.expect(#"{"ok":{"duplicate":true},"id":2}"#)
        bus.kill()
    }

    @Test func `Revealing a card needs no disk, and its key ends with the daemon`() throws {
        let folder = try Folder()
        let line = Self.line("study/1", #""reveal""#)
        let revealed = #"{"ok":{"seq":[1,1],"changed":true},"id":2}"#
        do {
            let bus = try ServerFixture(in: folder, keepsState: true)
            let client = try bus.connect()
            client.send(Self.book)
            client.expect(#"{"ok":{"seq":[1,2],"changed":true,"made":"study/1"},"id":1}"#)
            bus.end()
        }
        for _ in 1...2 {
            let bus = try ServerFixture(in: folder, keepsState: true)
            let client = try bus.connect()
            let number = try #require(bus.state.store).content.lastNumber
            client.send(line)
            client.expect(revealed)
            bus.end()
            #expect(number == 1)
        }
    }
}
