import BusdBroker
import BusdHosting
import BusdProtocol
@testable import BusdTestKit
import BusdViewModels
import Testing

/// A draft is not on disk, but what is made of it is. While that is on its way, and where it fails,
/// everybody is shown the draft as it was.
@Suite struct DraftTests {
    /// A kind of draft, and how one is written.
    enum Sort: String, CaseIterable {
        case game
        case book

        var x: String { "\(rawValue)-creator/x" }
        var y: String { "\(rawValue)-creator/y" }

        func name(_ name: String, of draft: String) -> String {
            switch self {
            case .game: #"send \#(draft) teamNameChanged {"side":"home","name":"\#(name)"}"#
            case .book: #"send \#(draft) nameChanged {"name":"\#(name)"}"#
            }
        }

        func name(_ name: String, of draft: String, id: Int) -> String {
            let event =
                self == .game
                ? #"{"teamNameChanged":{"side":"home","name":"\#(name)"}}"#
                : #"{"nameChanged":{"name":"\#(name)"}}"#
            return #"{"op":"send","to":"\#(draft)","event":\#(event),"id":\#(id)}"#
        }

        /// All but the name.
        func rest(of draft: String) -> [String] {
            switch self {
            case .game:
                [#"send \#(draft) teamNameChanged {"side":"away","name":"B"}"#]
                    + ["home", "away"].flatMap { side in
                        (0..<3).map { index in
                            #"send \#(draft) playerNameChanged "#
                                + #"{"side":"\#(side)","index":\#(index),"name":"p"}"#
                        }
                    }
            case .book: [#"send \#(draft) cardsChanged {"text":"a\tb"}"#]
            }
        }

        func make(_ draft: String, id: Int) -> String {
            let event = self == .game ? "createTapped" : "addTapped"
            return #"{"op":"send","to":"\#(draft)","event":"\#(event)","id":\#(id)}"#
        }

        /// What `get` tells of a draft with this name, which can be made or not.
        func shown(_ name: String, canBeMade: Bool) -> String {
            switch self {
            case .game:
                #"…{"draft":{"home":{"name":"\#(name)",…"createEnabled":{"isEnabled":\#(canBeMade)…"#
            case .book:
                #"…{"name":{"text":"\#(name)"}},…{"cards":{"count":\#(canBeMade ? 1 : 0),"#
                    + #"…"addEnabled":{"isEnabled":\#(canBeMade)…"#
            }
        }
    }

    private let disk = DraftDisk()
    private let bus: TestBus
    private let (ann, bo, reader): (TestConnection, TestConnection, TestConnection)

    init() {
        let disk = disk
        bus = TestBus(clockedByHand: true, journal: disk) { host in
            host.register(GameCreatorViewModel.self, services: disk)
            host.register(BookCreatorViewModel.self, services: disk)
        }
        (ann, bo, reader) = (bus.connect(), bus.connect(), bus.connect())
    }

    private func succeed() {
        disk.succeed()
        bus.committed()
    }

    private func fail() { bus.committed(successfully: false) }

    /// Writes a draft that can be made.
    private func write(_ sort: Sort, _ draft: String, _ name: String) {
        for line in [sort.name(name, of: draft)] + sort.rest(of: draft) { bo.send(line) }
    }

    private func expect(
        _ sort: Sort, _ draft: String, _ name: String, canBeMade: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        reader.send("get \(draft)")
        reader.expect(
            sort.shown(name, canBeMade: canBeMade), sourceLocation: sourceLocation)
    }

    private func expectRefusal(
        _ ids: Int..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let lines = ann.takeLines()
        #expect(lines.count == ids.count, sourceLocation: sourceLocation)
        for (line, id) in zip(lines, ids) {
            #expect(line.contains("unavailable"), sourceLocation: sourceLocation)
            #expect(line.hasSuffix(#""id":\#(id)}"#), sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: Sort.allCases)
    func `is there again where what was made of it could not be kept`(sort: Sort) {
        write(sort, sort.x, "A")
        ann.send(sort.make(sort.x, id: 1))
        fail()
        expectRefusal(1)
        expect(sort, sort.x, "A")
        ann.send(sort.make(sort.x, id: 2))
        if sort == .book { #expect(disk.backOfLast == "b") }
        succeed()
        ann.expect(#"{"ok":{"seq":[…],"changed":true},"id":2}"#)
        expect(sort, sort.x, "", canBeMade: false)
    }

    @Test(arguments: Sort.allCases)
    func `is left alone by what is made of another, and could not be kept`(sort: Sort) {
        write(sort, sort.x, "A")
        ann.send(sort.make(sort.x, id: 1))
        fail()
        bo.send(sort.name("Better", of: sort.x))
        write(sort, sort.y, "C")
        // What this makes has the number that the other one had.
        ann.send(sort.make(sort.y, id: 2))
        fail()
        expectRefusal(1, 2)
        expect(sort, sort.x, "Better")
        expect(sort, sort.y, "C")
    }

    @Test(arguments: Sort.allCases)
    func `is the first one again where two could not be kept`(sort: Sort) {
        write(sort, sort.x, "A")
        ann.send(sort.make(sort.x, id: 1))
        for line in [sort.name("Next", of: sort.x)] + sort.rest(of: sort.x) { bo.send(line) }
        ann.send(sort.make(sort.x, id: 2))
        fail()
        expectRefusal(1, 2)
        #expect(bo.takeLines().count == 1 + sort.rest(of: sort.x).count)
        expect(sort, sort.x, "A")
    }

    @Test(arguments: Sort.allCases)
    func `is shown as it was while what is made of it is on its way`(sort: Sort) {
        write(sort, sort.x, "A")
        ann.send(sort.make(sort.x, id: 1))
        expect(sort, sort.x, "A")
        let view = bus.connect()
        view.send("subscribe \(sort.x)")
        let joined = view.takeLines()
        #expect(joined.contains { $0.contains(#""A""#) })
        fail()
        expectRefusal(1)
        view.expectNothing()

        ann.send(sort.make(sort.x, id: 2))
        view.expectNothing()
        succeed()
        let emptied = sort == .game ? #""home":{"name":"""# : #""text":"""#
        #expect(view.takeLines().contains { $0.contains(emptied) })
        ann.expect(#"{"ok":{"seq":[…],"changed":true},"id":2}"#)
    }

    @Test(arguments: Sort.allCases)
    func `has not what was refused after something of it was kept`(sort: Sort) {
        write(sort, sort.y, "C")
        write(sort, sort.x, "A")
        ann.send(sort.make(sort.x, id: 1))
        bo.send(sort.name("Typed", of: sort.x))
        ann.send(sort.make(sort.y, id: 2))
        succeed()
        ann.expect(#"{"ok":{"seq":[…],"changed":true},"id":1}"#)
        expect(sort, sort.x, "Typed", canBeMade: false)
        fail()
        expectRefusal(2)
        bo.expectNothing()
        expect(sort, sort.x, "Typed", canBeMade: false)
        expect(sort, sort.y, "C")
    }

    @Test(arguments: Sort.allCases)
    func `is written on in as soon as what was made of it is kept`(sort: Sort) {
        for draft in [sort.x, sort.y] { write(sort, draft, "A") }
        for other in 1...2 { write(sort, "\(sort.x)\(other)", "A") }
        for (id, draft) in [sort.x, sort.y, "\(sort.x)1", "\(sort.x)2"].enumerated() {
            ann.send(sort.make(draft, id: id))
        }
        bo.send(sort.name("Typed", of: sort.x, id: 10))
        bo.expectNothing()
        succeed()
        ann.expect(#"{"ok":{"seq":[…],"changed":true},"id":0}"#)
        bo.expect(#"{"ok":{"seq":[…],"changed":true},"id":10}"#)
        // Three later commits are under way.
        bo.send(sort.name("Typed on", of: sort.x, id: 11))
        bo.expect(#"{"ok":{"seq":[…],"changed":true},"id":11}"#)
        fail()
        expectRefusal(1, 2, 3)
        bo.expectNothing()
        expect(sort, sort.x, "Typed on", canBeMade: false)
    }

    /// Two cards in a draft.
    private func cards(_ back: String, of draft: String, id: Int) -> String {
        let event = #"{"cardsChanged":{"text":"a\tb\nc\t\#(back)"}}"#
        return #"{"op":"send","to":"\#(draft)","event":\#(event),"id":\#(id)}"#
    }

    @Test func `keeps what was answered while several books are on their way`() {
        let (x, y, z) = (Sort.book.x, Sort.book.y, "\(Sort.book.y)z")
        for draft in [x, y, z] { write(.book, draft, "A") }
        ann.send(Sort.book.make(x, id: 1))
        bo.send(Sort.book.name("Next", of: x), cards("first", of: x, id: 10))
        ann.send(Sort.book.make(y, id: 2))
        bo.send(cards("second", of: x, id: 11))
        ann.send(Sort.book.make(z, id: 3))
        ann.send(Sort.book.make(x, id: 4))
        #expect(disk.backOfLast == "second")
        for id in 1...3 {
            succeed()
            ann.expect(#"{"ok":{"seq":[…],"changed":true},"id":\#(id)}"#)
        }
        bo.expect(
            #"{"ok":{"seq":[…],"changed":true},"id":10}"#,
            #"{"ok":{"seq":[…],"changed":true},"id":11}"#)
        fail()
        expectRefusal(4)
        ann.send(Sort.book.make(x, id: 5))
        #expect(disk.backOfLast == "second")
        succeed()
        ann.expect(#"{"ok":{"seq":[…],"changed":true},"id":5}"#)
    }

    @Test func `has not what was refused behind another answer, said or not`() {
        for draft in [Sort.book.x, Sort.book.y] { write(.book, draft, "A") }
        ann.send(Sort.book.make(Sort.book.x, id: 1))
        write(.book, Sort.book.x, "Next")
        // Bo is answered this first.
        bo.send(Sort.book.make(Sort.book.y, id: 10))
        bo.send(
            #"{"op":"send","to":"book-creator/x","event":{"cardsChanged":{"text":"a\tlost"}},"id":11}"#
        )
        succeed()
        ann.expect(#"{"ok":{"seq":[…],"changed":true},"id":1}"#)
        bo.expectNothing()
        expect(.book, Sort.book.x, "Next")
        fail()
        #expect(bo.takeLines().count { $0.contains("unavailable") } == 2)
        ann.send(Sort.book.make(Sort.book.x, id: 2))
        #expect(disk.backOfLast == "b")
        succeed()
        ann.expect(#"{"ok":{"seq":[…],"changed":true},"id":2}"#)
    }

    @Test func `is the last one that was written`() {
        write(.book, Sort.book.x, "A")
        bo.send(#"send book-creator/x cardsChanged {"text":"a\tb\nc\td"}"#)
        ann.send(#"{"op":"send","to":"book-creator/x","event":"nextTapped"}"#)
        let text = String(repeating: "longer ", count: 9)
        bo.send(#"send book-creator/x cardsChanged {"text":"a\tb\nc\t\#(text)"}"#)
        ann.send(Sort.book.make(Sort.book.x, id: 1))
        #expect(disk.backOfLast == text)
        fail()
        expectRefusal(1)
        ann.send(Sort.book.make(Sort.book.x, id: 2))
        #expect(disk.backOfLast == text)
        succeed()
        ann.expect(#"{"ok":{"seq":[…],"changed":true},"id":2}"#)
    }

    @Test func `is answered for a change of which nobody is told when it can't be taken back`() {
        write(.book, Sort.book.x, "A")
        ann.send(Sort.book.make(Sort.book.x, id: 1))
        bo.send(#"{"op":"send","to":"book-creator/x","event":"backTapped","id":2}"#)
        bo.expectNothing()
        succeed()
        ann.expect(#"{"ok":{"seq":[…],"changed":true},"id":1}"#)
        bo.expect(#"{"ok":{"changed":false},"id":2}"#)
    }

    @Test(arguments: Sort.allCases)
    func `is written on in by who has the slot of one that waits for longer`(sort: Sort) {
        for draft in [sort.x, sort.y] { write(sort, draft, "A") }
        bo.send(sort.make(sort.x, id: 10))
        ann.send(sort.make(sort.y, id: 1))
        ann.vanish()
        let cy = bus.connect()
        #expect(cy.slot == ann.slot)
        cy.send(sort.name("Typed", of: sort.x, id: 20))
        succeed()
        bo.expect(#"{"ok":{"seq":[…],"changed":true},"id":10}"#)
        cy.expect(#"{"ok":{"seq":[…],"changed":true},"id":20}"#)
    }

    @Test(arguments: Sort.allCases)
    func `does not go while what is made of it is on its way`(sort: Sort) {
        write(sort, sort.x, "A")
        ann.send(sort.make(sort.x, id: 1))
        bus.advance(by: .seconds(150))
        fail()
        expectRefusal(1)
        expect(sort, sort.x, "A")
        bo.send(sort.name("Better", of: sort.x))
        expect(sort, sort.x, "Better")
        expectEnd(of: sort.x)
    }

    @Test(arguments: Sort.allCases)
    func `goes in time where what was made of it was kept late`(sort: Sort) {
        write(sort, sort.x, "A")
        ann.send(sort.make(sort.x, id: 1))
        bus.advance(by: .seconds(150))
        succeed()
        ann.expect(#"{"ok":{"seq":[…],"changed":true},"id":1}"#)
        expectEnd(of: sort.x)
    }

    /// A minute after it was used last it is gone, and a new one can be had.
    private func expectEnd(of draft: String) {
        bus.advance(by: .seconds(61))
        reader.send("list \(draft)")
        reader.expect(#"{"ok":{"viewModels":[]}}"#)
    }
}
