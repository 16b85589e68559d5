import Glibc
import TestSupport
import Testing

/// The `books` program in real terminals.
@Suite(.needs("tmux"), .showsScreens)
struct BooksTerminalTests {
    private let tmux: Tmux
    private let bus: BusFixture

    init() throws {
        tmux = try Tmux()
        bus = try BusFixture()
    }

    private func books(_ arguments: String = "") throws -> String {
        "env BUSD_SOCKET=\(bus.socket) \(try Products.path("books")) \(arguments)"
    }

    private func importBook(_ name: String, _ cards: String...) throws {
        let list = cards.map { #"{"front":"\#($0)","back":"back of \#($0)"}"# }
        let answer = try bus.connect().ask(
            #"{"op":"send","to":"books","event":{"importBook":{"name":"\#(name)","cards":["#
                + list.joined(separator: ",") + #"]}},"id":1}"#)
        #expect(answer?.hasPrefix(#"{"ok""#) == true)
    }

    @Test func `A book begun in one terminal is continued in another`() throws {
        try tmux.open("desk", columns: 80, rows: 24, try books("--creator us"))
        try tmux.open("sofa", columns: 40, rows: 12, try books("--creator us"))
        for name in ["desk", "sofa"] {
            try tmux.awaitText(#/No books yet/#, "an empty library", in: name)
            try tmux.press("n", in: name)
            try tmux.awaitText(#/New book · draft us/#, "the first screen", in: name)
        }
        try tmux.press("Swahili", in: "desk")
        try tmux.awaitText(#/Name Swahili/#, "the name", in: "sofa")
        try tmux.press("Enter", in: "sofa")
        try tmux.awaitText(#/Swahili · draft us +Add/#, "the second screen", in: "desk")
        try tmux.paste("moja\tone\nmbili two\ntatu\tthree", in: "sofa")
        try tmux.awaitText(#/2  mbili two/#, "the paste", in: "sofa")
        try tmux.awaitText(#/2 cards\n.*line 2 has no tab/#, "what is wrong", in: "desk")
        try tmux.press("Up", "End", in: "sofa")
        for _ in 0..<3 { try tmux.press("BSpace", in: "sofa") }
        try tmux.press("BSpace", "Tab", "two", in: "sofa")
        try tmux.awaitText(#/3 cards/#, "three cards", in: "desk")
        try tmux.awaitText(#/ctrl-d add the book/#, "that it can be added", in: "desk")
        try tmux.press("C-d", in: "desk")
        try tmux.awaitText(#/▸ +1 +Swahili +3 cards +─+ +0%/#, "the book", in: "desk")
        try tmux.awaitText(#/▸ +1 +Swahili +3 cards +0%/#, "the book", in: "sofa")
        try tmux.press("q", in: "desk")
        try tmux.awaitText(#/ended with 0/#, "the end", in: "desk")
    }

    @Test func `A watcher sees a study's progress, and its selection stays on its book`() throws {
        try importBook("First", "a")
        try importBook("Swahili", "moja", "mbili")
        try tmux.open("watcher", columns: 80, rows: 24, try books())
        try tmux.awaitText(#/▸ +1 +First/#, "the first book", in: "watcher")
        try tmux.press("Down", in: "watcher")
        try tmux.awaitText(#/▸ +2 +Swahili/#, "the choice", in: "watcher")
        try importBook("Third", "b")
        let script = try bus.connect()
        try script.send(#"send books moveBook {"book":"3","to":0}"#)
        try tmux.awaitText(#/ 3  Third.*\n.* 1  First.*\n +▸ +2  Swahili/#, "it", in: "watcher")

        try tmux.open("reader", columns: 40, rows: 12, try books("2"))
        try tmux.awaitText(#/card 1 of 2/#, "a card", in: "reader")
        #expect(!(try tmux.screen("reader")).contains("back of moja"))
        try tmux.press("k", "Space", in: "reader")
        try tmux.awaitText(#/back of moja/#, "the back", in: "reader")
        try tmux.press("u", in: "reader")
        try tmux.awaitText(#/card 2 of 2/#, "the next card", in: "reader")
        try tmux.press("Space", in: "reader")
        try tmux.awaitText(#/back of mbili/#, "the back", in: "reader")
        try tmux.press("k", in: "reader")
        try tmux.awaitText(#/25% KNOWN/#, "the progress of all", in: "watcher")
        try tmux.awaitText(#/▸ +2  Swahili.* 50%/#, "the progress of the book", in: "watcher")
        try tmux.press("Space", "k", in: "reader")
        try tmux.awaitText(#/Nothing is left to learn/#, "the end of the book", in: "reader")

        try tmux.open("visitor", columns: 40, rows: 12, try books("2"))
        try tmux.awaitText(#/Nothing is left to learn/#, "the end of the book", in: "visitor")
        try tmux.press("Escape", in: "visitor")
        try tmux.awaitText(#/▸ +2  Swahili/#, "its book in the list", in: "visitor")

        try script.send(#"send books deleteBook {"book":"2"}"#)
        try tmux.awaitText(#/the book is no longer there/#, "that it has gone", in: "reader")
        try tmux.awaitText(#/▸ +2  Swahili +deleted: u takes it back/#, "the mark", in: "watcher")
        try tmux.press("u", in: "watcher")
        try tmux.awaitText(#/▸ +2  Swahili.* 100%/#, "the book again", in: "watcher")
    }

    @Test func `Without a terminal and with ended input, books prints the library once`() throws {
        try importBook("First", "a")
        try bus.run("sh", "-c", #"true | "$0""#, Products.path("books")).expect(
            output: "0% KNOWN\n1  First  1 card  0%\n")
    }

    @Test func `Books are moved and deleted, and the screen adapts to its size`() throws {
        for name in ["One", "Two", "Three"] { try importBook(name, "a") }
        try tmux.open("books", columns: 80, rows: 24, try books())
        try tmux.awaitText(#/▸ +1  One/#, "the first book", in: "books")
        try tmux.press("J", "J", in: "books")
        try tmux.awaitText(#/ 2  Two.*\n.* 3  Three.*\n +▸ +1  One/#, "it at the end", in: "books")
        try tmux.press("S-Up", in: "books")
        try tmux.awaitText(#/ 2  Two.*\n +▸ +1  One.*\n.* 3  Three/#, "it between", in: "books")
        try tmux.press("d", in: "books")
        try tmux.awaitText(#/Delete One with its 1 card\?/#, "the question", in: "books")
        try tmux.press("y", in: "books")
        try tmux.awaitText(#/▸ +1  One +deleted: u takes it back/#, "the mark", in: "books")
        try tmux.press("Down", in: "books")
        try tmux.awaitText(#/▸ +3  Three/#, "the next one chosen", in: "books")
        try tmux.resize("books", columns: 28, rows: 6)
        try tmux.awaitText(#/too small: 30x5 is needed/#, "that it is too small", in: "books")
        try tmux.resize("books", columns: 40, rows: 12)
        try tmux.awaitText(#/▸ +3  Three +1 card +0%/#, "the small picture", in: "books")
        try tmux.press("C-c", in: "books")
        try tmux.awaitText(#/ended with 0/#, "the end", in: "books")
    }

    @Test func `A draft survives a restart of the daemon while its terminal is open`() throws {
        let folder = try Folder()
        let first = try BusFixture(in: folder)
        let program = try Products.path("books")
        try tmux.open(
            "books", columns: 80, rows: 24, "env BUSD_SOCKET=\(first.socket) \(program)")
        try tmux.awaitText(#/No books yet/#, "an empty library", in: "books")
        try tmux.press("n", "Swahili", "Enter", in: "books")
        try tmux.awaitText(#/0 cards/#, "the second screen", in: "books")
        try tmux.paste("moja\tone", in: "books")
        try tmux.awaitText(#/1 card/#, "a card", in: "books")
        #expect(try first.stop().status == 0)
        try tmux.awaitText(#/reconnecting/#, "the loss", in: "books")
        try tmux.paste("\nmbili\ttwo", in: "books")
        let second = try BusFixture(in: folder)
        try tmux.awaitText(#/2 cards/#, "all that was typed", in: "books")
        try tmux.press("C-d", in: "books")
        try tmux.awaitText(#/▸ +1 +Swahili +2 cards/#, "the book", in: "books")
        #expect(try second.stop().status == 0)
    }
}
