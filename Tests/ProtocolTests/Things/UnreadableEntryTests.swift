import BusdProtocol
import BusdTestKit
import Testing

/// A sheet of paper with a text. An empty text is written in a form that no start can read.
private struct Sheet: Thing {
    struct Text: Codable {
        let text: String

        init(_ text: String) { self.text = text }

        init(from decoder: any Decoder) throws {
            text = try decoder.value("an empty sheet cannot be read") { (text: String) in
                text.isEmpty ? nil : text
            }
        }

        func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
    }

    static let kind = "sheet"
    private(set) var text: String

    init(_ seed: Text) { text = seed.text }

    mutating func apply(_ action: Text, at time: Instant) -> Bool {
        text = action.text
        return true
    }
}

@Suite struct `An action that no start could read` {
    @Test func `It is refused before it is in the log, and changes nothing`() throws {
        let log = TestLog()
        log.isFast = true
        let libraries = Libraries(log: log, clock: Timeline())
        let sheets = Library<Sheet>(libraries)
        sheets.create(Sheet.Text("a"))
        libraries.settle()
        let id = try #require(Sheet.ID(1))
        for text in ["", "b", "", "b"] {
            libraries.begin(SendContext())
            sheets.propose(Sheet.Text(text), to: id)
            let result = libraries.end()
            switch result {
            case .settled(let outcome):
                #expect(
                    outcome == .unreadable(ExactText("an empty sheet cannot be read")) && text == ""
                )
            case .pending: #expect(text == "b")
            case .nothing: Issue.record("nothing was proposed")
            }
            libraries.settle()
        }
        var outcomes: [String] = []
        sheets.create(Sheet.Text("")) { outcomes.append("\($0)") }
        libraries.settle()
        #expect(outcomes == ["refused"])
        #expect(sheets[id]?.text == "b" && sheets.count == 1)
        #expect(log.entries.map(\.body.text) == [#"{"create":{"_0":"a"}}"#, #""b""#, #""b""#])
        #expect(libraries.takeFaults().count == 3)
    }
}

@Suite struct `An entry that a start cannot read` {
    private static let bad = #"{"create":{"_0":{"numbers":"none"}}}"#

    /// The entries of three piles, of which each has got a number.
    private func entries() throws -> [LogEntry] {
        let fixture = LibraryFixture.fast()
        for number in 1...3 {
            fixture.create(number)
            try fixture.propose(.put(10), to: number)
        }
        return fixture.log.entries
    }

    private func start(_ entries: [LogEntry]) -> (fixture: LibraryFixture, findings: [String]) {
        var content = LogContent()
        (content.entries, content.lastNumber) = (entries, entries.count)
        let log = TestLog()
        log.isFast = true
        let fixture = LibraryFixture(log: log, content: content)
        return (fixture, fixture.libraries.open())
    }

    @Test func `A creation costs its own thing, and all ids stay`() throws {
        var entries = try entries()
        entries[2].body = Array(Self.bad.utf8)
        let (fixture, findings) = start(entries)
        #expect(
            findings == [
                "entry 3, which creates a pile, cannot be read: expected a list: pile 2 is lost"
            ])
        #expect(fixture.piles.ids.map(\.number) == [1, 3])
        #expect(fixture.pile(1)?.numbers == [1, 10] && fixture.pile(3)?.numbers == [3, 10])
        fixture.create(4)
        #expect(fixture.piles.ids.map(\.number) == [1, 3, 4])
        // A later version may read the entries, so none is removed.
        let changes = try fixture.libraries.takeUnsavedStates().map { try $0() }
        #expect(!changes.contains { if case .amend = $0 { true } else { false } })
    }

    @Test func `A creation that was without effect takes no id`() throws {
        var entries = try entries()
        let key = SendKey(bits: 7)
        entries[0].key = key
        entries[2].body = Array(Self.bad.utf8)
        (entries[2].key, entries[4].id) = (key, "")
        entries.remove(at: 3)
        let (fixture, findings) = start(entries)
        #expect(findings.count == 1)
        #expect(fixture.piles.ids.map(\.number) == [1, 2])
    }

    @Test func `A change is missing, and the changes around it stay`() throws {
        var entries = try entries()
        let key = SendKey(bits: 7)
        (entries[1].key, entries[1].body) = (key, Array("{".utf8))
        let (fixture, findings) = start(entries)
        #expect(findings.count == 1)
        #expect(findings.first?.hasPrefix("entry 2 of pile 1 cannot be read: ") == true)
        #expect(fixture.pile(1)?.numbers == [1] && fixture.piles.count == 3)
        let pile = try #require(Pile.ID(1))
        #expect(fixture.piles.subject(pile).knows(key))
        try fixture.propose(.put(5), to: 1)
        #expect(fixture.log.entries.last?.previous == 2)
    }
}
