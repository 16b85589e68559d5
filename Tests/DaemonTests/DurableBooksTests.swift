import BusdBooks
import BusdProtocol
import BusdStorage
import TestSupport
import Testing

@testable import BusdDaemon

/// As `DurableStateTests` and `KeptKeysTests`. The things are books.
@Suite struct DurableBooksTests {
    private static let book =
        #"{"op":"send","to":"books","event":{"importBook":{"name":"B","cards":["#
        + #"{"front":"f","back":"b"}]}},"id":1}"#
    private static let made = #"{"ok":{"seq":[1,2],"changed":true,"made":"study/1"},"id":1}"#

    @Test func `A book is there after a restart, with its progress`() throws {
        let folder = try Folder()
        do {
            let bus = try ServerFixture(in: folder, keepsState: true)
            let client = try bus.connect()
            client.send(
                """
                {"op":"send","to":"books","event":{"importBook":{"name":"Kanji",\
                "cards":[{"front":"水","back":"water"},{"front":"火","back":"fire"}]}},"id":1}
                """)
            client.expect(Self.made)
            client.send(#"{"op":"send","to":"study/1","event":"reveal","id":2}"#)
            client.send(#"{"op":"send","to":"study/1","event":"known","id":3}"#)
            client.expect(
                #"{"ok":{"seq":[1,1],"changed":true},"id":2}"#,
                #"{"ok":{"seq":[2,4],"changed":true},"id":3}"#)
            bus.end()
        }

        let bus = try ServerFixture(in: folder, keepsState: true)
        let study = try bus.connect().shown("study/1")
        #expect(study.contains(#"{"card":{"front":"火","position":2,"of":2}}"#))
        #expect(study.contains(#"{"progress":{"text":"50% KNOWN"}}"#))
        bus.kill()
    }

    /// Events without an effect on a book with a hidden card.
    private static let needless = [
        ("books", #"{"moveBook":{"book":"1","to":0}}"#), ("books", #"{"deleteBook":{"book":"?"}}"#),
        ("study/1", #""known""#), ("study/1", #""unknown""#), ("study/1", #""undo""#),
        ("study/1", #""again""#), ("book-creator/a", #""addTapped""#),
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
            client.send(Self.book)
            client.expect(Self.made)
            client.expectNoEffect(of: line)
            if isKilled { bus.kill() } else { bus.end() }
        }
        let bus = try ServerFixture(in: folder, keepsState: true)
        try bus.connect().expectDuplicate(of: line)
        bus.kill()
    }

    @Test func `A draft that was submitted before a kill makes no second book`() throws {
        let folder = try Folder()
        let line = TestClient.line(
            "book-creator/a", #"{"addTapped":{"name":"N","text":"f\tb"}}"#)
        do {
            let bus = try ServerFixture(in: folder, keepsState: true)
            let client = try bus.connect()
            client.send(line)
            client.expect(#"{"ok":{"seq":[1,1],"changed":true,"made":"study/1"},"id":2}"#)
            bus.kill()
        }
        let bus = try ServerFixture(in: folder, keepsState: true)
        try bus.connect().expectDuplicate(of: line)
        bus.kill()
    }

    @Test func `Revealing a card needs no disk, and its key ends with the daemon`() throws {
        let folder = try Folder()
        let line = TestClient.line("study/1", #""reveal""#)
        let revealed = #"{"ok":{"seq":[1,1],"changed":true},"id":2}"#
        do {
            let bus = try ServerFixture(in: folder, keepsState: true)
            let client = try bus.connect()
            client.send(Self.book)
            client.expect(Self.made)
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
