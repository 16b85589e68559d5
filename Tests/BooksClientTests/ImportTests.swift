import BusdBooksEvents
import BusdClientTestSupport
import BusdDeck
import BusdOptions
import BusdProtocol
import BusdScreens
import Testing

@testable import BusdClient
@testable import books

@Suite struct CardBatchesTests {
    /// The lines of the wire, as they would be sent.
    private func lines(_ batches: CardBatches) -> [[UInt8]] {
        batches.batches.map { batch in
            BusRequest.send(
                batch.addCards(to: "12345678"), to: .literal("books"),
                key: String(repeating: "k", count: 40)
            ).line(id: 1_000_000)
        }
    }

    @Test func `A line has as many cards as its limits allow`() throws {
        let short = try CardBatches((0..<20_000).map { Card(front: "\($0)", back: "") })
        #expect(short.batches.map(\.count).reduce(0, +) == 20_000)
        #expect(short.batches.dropLast().allSatisfy { $0.count == 1_360 })
        let long = try CardBatches(
            (0..<300).map { Card(front: "\t日\"\($0)", back: String(repeating: "x", count: 900)) })
        #expect(long.batches.map(\.count).reduce(0, +) == 300)
        for line in lines(short) + lines(long) {
            #expect(line.count <= Limits().line)
            try JSONDocument().read(line.dropLast(), limits: Limits())
        }
        #expect(lines(long).dropLast().allSatisfy { $0.count > 60_000 })
    }

    @Test func `The batches have all cards, in their order`() throws {
        let cards = (0..<3_000).map { Card(front: "f\($0)", back: "\u{1}\n\\\"") }
        var read: [Card] = []
        for batch in try CardBatches(cards).batches {
            let document = JSONDocument()
            try document.read(batch.addCards(to: "1"), limits: BusLine.limits)
            let list = try #require(document.root?["addCards"]?["cards"])
            read += try list.elements.map { try $0.decode(Card.self, at: "card") }
        }
        #expect(read == cards)
    }

    @Test func `A card that is too long for a line is named before anything is sent`() {
        let cards = [
            Card(front: "a", back: "b"),
            Card(front: "a", back: String(repeating: "\n", count: 40_000)),
        ]
        #expect(throws: CardBatches.TooLong(card: 1)) { try CardBatches(cards) }
    }

    @Test func `A card that fills a whole line still fits`() throws {
        let frame = Array(#"{"front":"","back":""}"#.utf8).count
        let most = Limits().line - CardBatches.otherBytes - frame
        let card = Card(front: String(repeating: "x", count: most), back: "")
        let batches = try CardBatches([card, card])
        #expect(batches.batches.map(\.count) == [1, 1])
        for line in lines(batches) { try JSONDocument().read(line.dropLast(), limits: Limits()) }
        let more = Card(front: card.front + "x", back: "")
        #expect(throws: CardBatches.TooLong(card: 0)) { try CardBatches([more]) }
        #expect(try CardBatches([]).batches == [])
    }

    @Test func `Events have the form that the bus reads`() throws {
        let batch = try #require(CardBatches([Card(front: "水", back: "water")]).batches.first)
        #expect(
            String(decoding: batch.importBook(try Name("Kanji")), as: UTF8.self)
                == #"{"importBook":{"name":"Kanji","cards":[{"front":"水","back":"water"}]}}"#)
        #expect(
            String(decoding: batch.addCards(to: "7"), as: UTF8.self)
                == #"{"addCards":{"book":"7","cards":[{"front":"水","back":"water"}]}}"#)
    }
}

/// Imports to a daemon that follows a script.
@Suite struct ImportingTests {
    private func ok(_ id: Int, _ value: String = "{}") -> String {
        #"{"ok":\#(value),"id":\#(id)}"#
    }

    private func run(_ daemon: ScriptedDaemon) throws -> Imported {
        let batches = try CardBatches([Card(front: "水", back: "water")]).batches
        let session = Session(
            try daemon.connection(longest: .seconds(5)), within: .perAnswer(.seconds(30)))
        let importing = Importing(session, Progress(of: 1, "cards", isShown: false))
        return importing.run(.create(try Name("Kanji"), batches))
    }

    @Test func `An import finds its book in the answer`() throws {
        let daemon = ScriptedDaemon(.init(lines: [ok(1, #"{"seq":[6,6],"made":"study/42"}"#)]))
        let outcome = try run(daemon)
        #expect(outcome.book == "42")
        #expect(outcome.count == 1)
        #expect(outcome.failure == nil)
        let requests = daemon.requests()[0]
        #expect(requests[0].hasPrefix(#"{"op":"send","to":"books","event":{"importBook""#))
        #expect(requests[0].contains(#""key":""#))
    }

    @Test func `An import sends again after a loss, with the same key`() throws {
        let daemon = ScriptedDaemon(
            .init(lines: [], closes: true),
            .init(lines: [ok(2, #"{"made":"study/41","duplicate":true}"#)]))
        #expect(try run(daemon).book == "41")
        let requests = daemon.requests()
        try #require(requests.map(\.count) == [1, 1])
        #expect(requests[1][0].dropLast(2) == requests[0][0].dropLast(2))
    }

    @Test func `An import asks for its book if the answer does not name it`() throws {
        let books = #"{"events":[{"books":{"books":[{"id":"8","name":"Kanji"}]}}]}"#
        let daemon = ScriptedDaemon(
            .init(lines: [ok(1, #"{"changed":true,"duplicate":true}"#)], closes: true),
            .init(lines: [ok(3, books)]))
        #expect(try run(daemon).book == "8")
        #expect(daemon.requests().last == [#"{"op":"get","to":"books","id":3}"#])
    }

    @Test func `An import finds the last book of a name that is not deleted`() throws {
        let books = """
            {"address":"books","cursor":"k9:0","events":[{"books":{"books":[\
            {"id":"3","name":"Kanji"},{"id":"8","name":"Kanji"},{"id":"5","name":"Other"}]}}]}
            """
        #expect(try Importing.lastBook(named: Name("Kanji"), in: json(books)) == "8")
        let marked = books.replacing(
            #""id":"8","name":"Kanji""#, with: #""id":"8","name":"Kanji","isDeleted":true"#)
        #expect(try Importing.lastBook(named: Name("Kanji"), in: json(marked)) == "3")
        #expect(try Importing.lastBook(named: Name("None"), in: json(books)) == nil)
        #expect(try Importing.lastBook(named: Name("Kanji"), in: json("{}")) == nil)
    }

    @Test func `A refused import is reported, and has begun nothing`() throws {
        let daemon = ScriptedDaemon(
            .init(lines: [#"{"error":{"code":"unavailable","message":"no"},"id":1}"#]))
        let outcome = try run(daemon)
        let refusal = RequestFailure.refused(WireError(.unavailable, "no"))
        #expect(outcome.failure as? RequestFailure == refusal)
        #expect(!outcome.isBegun)
    }

    /// The trouble that an import ends with, on a clock that fires every timer at once.
    private func failure(
        _ script: ScriptedDaemon.Script, _ limit: Session.Limit
    ) throws -> RequestFailure? {
        let batches = try CardBatches([Card(front: "水", back: "water")]).batches
        let connection = try ScriptedDaemon(script).connection(longest: .seconds(60))
        let session = Session(connection, within: limit)
        return Importing(session, Progress(of: 1, "cards", isShown: false))
            .run(.create(try Name("Kanji"), batches)).failure as? RequestFailure
    }

    @Test(arguments: [0, 1])
    func `An import ends in time, whichever answer is missing`(answered: Int) throws {
        // The second request looks for the book by name.
        let answers = [ok(1, #"{"seq":[6,6]}"#)].prefix(answered)
        for limit in [Session.Limit.total(.seconds(5)), .perAnswer(.seconds(30))] {
            #expect(try failure(.init(lines: Array(answers)), limit) == .timedOut)
        }
    }

    @Test func `An import without a daemon ends at once`() throws {
        let outcome = try run(ScriptedDaemon())
        #expect(outcome.failure as? RequestFailure == .lost(.noDaemon(path: "/bus")))
    }
}

@Suite struct ImportTests {
    @Test func `The verb import needs a file`() throws {
        #expect(usageMessage { try arguments("import") } == "books import: missing FILE")
        let command = try Import(try arguments("import", "-n", "Kanji", "--skip-bad", "-"))
        #expect(command.path == "-")
        #expect(command.options.name == "Kanji")
        #expect(command.options.separator == nil)
        #expect(!command.options.readsHTML)
        #expect(command.skipsBad)
        #expect(command.again == nil)
    }

    @Test func `The option --again says what to do with a book of the same name`() throws {
        for again in Import.Again.allCases {
            let command = try Import(try arguments("import", "--again", again.rawValue, "a"))
            #expect(command.again == again)
            #expect(Import.choice(again.rawValue) == again)
        }
        #expect(Import.choice("u") == .update)
        #expect(Import.choice("n") == nil)
        #expect(Import.choice("ne") == .new)
        #expect(Import.choice("no") == .nothing)
        for word in ["", "updates", "x", "N"] { #expect(Import.choice(word) == nil) }
        #expect(
            usageMessage { _ = try Import(try arguments("import", "--again", "no", "a")) }
                == "books import: --again needs update, new or nothing, not 'no'")
    }

    @Test(arguments: [
        ("Comma", Separator.comma), (";", .semicolon), (#"\t"#, .tab), ("\t", .tab), (" ", .space),
        ("COLON", .colon), ("|", .pipe), ("Space", .space),
    ])
    func `A separator is a name or a character`(text: String, separator: Separator) throws {
        let command = try Import(try arguments("import", "--html", "--separator", text, "a"))
        #expect(command.options.separator == separator)
        #expect(command.options.readsHTML)
    }

    @Test(arguments: ["", "commas", ",,", "x"])
    func `Another separator is refused`(text: String) {
        #expect(
            usageMessage { _ = try Import(try arguments("import", "--separator", text, "a")) }
                == "books import: --separator needs tab, comma, semicolon, pipe, colon or space, "
                + "not '\(text)'")
    }
}
