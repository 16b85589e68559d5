import Glibc
import TestSupport
import Testing

/// `books import`, with a real daemon.
@Suite(.showsScreens)
struct ImportTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func deck(of count: Int) -> String {
        "#separator:tab\n#deck:Large\n"
            + (0..<count).map { "Front number \($0)\tThe back of that card, 水火\n" }.joined()
    }

    private func serve() throws -> BusFixture {
        try BusFixture(in: folder, options: ["--state", folder("state")])
    }

    @Test func `A file of ten thousand cards becomes a book`() throws {
        let bus = try BusFixture()
        try folder.write(deck(of: 10_000), to: "deck.txt")
        try bus.run(try Products.path("books"), "import", folder("deck.txt"))
            .expect(output: #"{"book":"1","address":"study/1","cards":10000}"# + "\n")
        let last = try Child.run(
            "jq", "-r", ".ok.events[].books.books[]?.cardCount",
            input: try bus.connect().ask("get books") ?? "")
        last.expect(output: "10000\n")
    }

    @Test func `An import is completed although the daemon is killed meanwhile`() throws {
        let first = try serve()
        try folder.write(deck(of: 10_000), to: "deck.txt")
        let importer = try first.start(
            [try Products.path("books"), "import", "--plain", folder("deck.txt")])
        let asker = try first.connect()
        while try asker.ask("get books")?.contains("Large") == false {}
        first.daemon.signal(SIGKILL)
        _ = try first.daemon.outcome()
        let second = try serve()
        let outcome = try importer.outcome()
        outcome.expect(output: "10000 cards in book 1, Large  study/1\n")
        #expect(
            try second.connect().ask("get books")?.contains(
                #""id":"1","name":"Large","cardCount":"10000","progress":"0%"}]"#) == true)
    }

    @Test func `A file with more cards than a book may have is not imported`() throws {
        let bus = try BusFixture()
        try folder.write(deck(of: 10_001), to: "deck.txt")
        try bus.run(try Products.path("books"), "import", folder("deck.txt")).expect(
            status: 65,
            errors: "books: \(folder("deck.txt")) has 10001 cards, and a book has at most 10000: "
                + "import it in parts\n")
        #expect(try bus.connect().ask("get books")?.contains(#""books":[]"#) == true)
    }

    @Test func `A file with bad lines is not imported, unless --skip-bad is given`() throws {
        let bus = try BusFixture()
        let books = try Products.path("books")
        try folder.write("a\tb\nno tab\nc\td\n", to: "bad.txt")
        let path = folder("bad.txt")
        try bus.run(books, "import", path).expect(
            status: 65,
            errors:
                "books: \(path): line 2 has no tab; nothing was imported: correct this, or leave "
                + "it out with --skip-bad\n")
        try bus.run(books, "import", "--skip-bad", path).expect(
            output: #"{"book":"1","address":"study/1","cards":2}"# + "\n",
            errors: "books: \(path): line 2 has no tab: left out\n")
        try folder.write("a\tb\nlong\t\(String(repeating: "x", count: 70_000))\n", to: "long.txt")
        try bus.run(books, "import", folder("long.txt")).expect(
            status: 65,
            errors:
                "books: \(folder("long.txt")): line 2 has a card that is too long; nothing was "
                + "imported: correct this, or leave it out with --skip-bad\n"
        )
        try bus.run(books, "import", "-", input: "a\tb\n").expect(
            status: 64, errors: "books: the book needs a name: add --name NAME\n")
        try bus.run(books, "import", "-", "-n", "Typed", input: "a\tb\n").expect(
            output: #"{"book":"2","address":"study/2","cards":1}"# + "\n")
        try bus.run(books, "import", folder("none.txt")).expect(
            status: 65, errors: "books: \(folder("none.txt")): No such file or directory\n")
    }

    @Test func `Ctrl-C ends an import, and the cards that are in the book are counted`() throws {
        try folder.write(deck(of: 2_000), to: "deck.txt")
        let daemon = try FakeDaemon()
        let books = try Child(
            [try Products.path("books"), "import", "--again", "new", folder("deck.txt")],
            environment: ["BUSD_SOCKET": daemon.socket])
        let conversation = daemon.accept()
        // The greeting, and the first cards.
        #expect(try conversation.line()?.contains("hello") == true)
        #expect(try conversation.line()?.contains("importBook") == true)
        let answers = [#"{"ok":{},"id":1}"#, #"{"ok":{"made":"study/7"},"id":2}"#]
        try conversation.sendAll(Array(answers.map { $0 + "\n" }.joined().utf8))
        #expect(try conversation.line()?.contains("addCards") == true)
        books.signal(SIGINT)
        try books.outcome().expect(
            status: 128 + SIGINT, errors: "books: interrupted: book 7 has 950 of 2000 cards\n")
    }

    @Test func `A file that is imported again updates its book, and an export gives the file`()
        throws
    {
        let bus = try BusFixture()
        let books = try Products.path("books")
        let path = folder("Kanji.txt")
        let deck = "水\twatre\n火\tfire\n木\ttree\n"
        try folder.write(deck, to: "Kanji.txt")
        func imports(
            _ options: String..., status: Int32 = 0, prints output: String, errors: String = ""
        ) throws {
            try bus.start([books, "import"] + options + [path]).outcome()
                .expect(status: status, output: output, errors: errors)
        }
        try imports(prints: #"{"book":"1","address":"study/1","cards":3}"# + "\n")
        try imports(
            status: 64, prints: "",
            errors:
                "books: there is a book Kanji already, study/1: add --again update, --again new or "
                + "--again nothing\n")
        let script = try bus.connect()
        try script.send("send study/1 reveal", "send study/1 known")
        try folder.write("水\twater\n火\tfire\n山\tmountain\n", to: "Kanji.txt")
        try imports(
            "--again", "update",
            prints: #"{"book":"1","address":"study/1","cards":3,"added":1,"replaced":1,"kept":1}"#
                + "\n")
        try imports(
            "--again", "update", "--plain",
            prints:
                "3 cards, 0 added, 0 replaced, and 1 that the file lacks, in book 1, Kanji  study/1\n"
        )
        try imports(
            "--again", "nothing", prints: #"{"book":"1","address":"study/1","cards":0}"# + "\n")
        let export =
            "#separator:tab\n#html:false\n#deck:Kanji\n#busd:exact\n"
            + "水\twater\n火\tfire\n木\ttree\n山\tmountain\n"
        try bus.run(books, "export", "study/1").expect(output: export)
        try bus.run(books, "export", "study/9").expect(
            status: 2, errors: "books: there is no book 9\n")
        try imports("--again", "new", prints: #"{"book":"2","address":"study/2","cards":3}"# + "\n")
        #expect(
            try script.ask("get books")?.contains(
                #"{"id":"1","name":"Kanji","cardCount":"4","progress":"25%"},"#
                    + #"{"id":"2","name":"Kanji","cardCount":"3","progress":"0%"}"#) == true)
    }

    @Test func `An update is completed by the next one if the daemon and the import are killed`()
        throws
    {
        let first = try serve()
        let path = folder("deck.txt")
        try folder.write(deck(of: 300), to: "deck.txt")
        try first.run(try Products.path("books"), "import", path).expect(
            output: #"{"book":"1","address":"study/1","cards":300}"# + "\n")
        let new = deck(of: 320).replacing("The back", with: "Another back")
        try folder.write(new, to: "deck.txt")
        let importer = try first.start(
            [try Products.path("books"), "import", "--again", "update", path])
        let asker = try first.connect()
        while try asker.ask("get cards/1")?.contains("Another back") == false {}
        importer.signal(SIGKILL)
        first.daemon.signal(SIGKILL)
        _ = try (importer.outcome(), first.daemon.outcome())
        let second = try serve()
        let outcome = try second.start(
            [try Products.path("books"), "import", "--again", "update", path]
        ).outcome()
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let header = "#html:false\n#deck:Large\n#busd:exact\n"
        try second.run(try Products.path("books"), "export", "study/1").expect(
            output: new.replacing("#deck:Large\n", with: header))
    }

    @Test func `Updates at the same time add each card once`() throws {
        let bus = try serve()
        let books = try Products.path("books")
        let path = folder("deck.txt")
        try folder.write(deck(of: 50), to: "deck.txt")
        try bus.run(books, "import", path)
            .expect(output: #"{"book":"1","address":"study/1","cards":50}"# + "\n")
        let new = deck(of: 3_000).replacing("number 7\tThe", with: "number 7\tAnother")
        try folder.write(new, to: "deck.txt")
        let importers = try (0..<4).map { _ in
            try bus.start([books, "import", "--again", "update", path])
        }
        for importer in importers {
            let outcome = try importer.outcome()
            #expect(outcome.status == 0)
            #expect(outcome.errors == "")
        }
        let header = "#html:false\n#deck:Large\n#busd:exact\n"
        try bus.run(books, "export", "study/1").expect(
            output: new.replacing("#deck:Large\n", with: header))
    }

    @Test func `A file is refused before anything is sent, in one line for each problem`() throws {
        let bus = try BusFixture()
        let path = folder("deck.txt")
        func refused(_ text: String, _ errors: String..., options: String...) throws {
            try folder.write(text, to: "deck.txt")
            let words = ["import", path] + options
            try bus.start([try Products.path("books")] + words).outcome().expect(
                status: 65, errors: errors.map { "books: \(path)\($0)\n" }.joined())
        }
        try refused(
            "a\tb\n" + String(repeating: "no\n", count: 24) + "c\t\n",
            ": lines 2 to 25 have no tab; nothing was imported: correct this, or leave it out with "
                + "--skip-bad",
            ": line 26 has an empty side; nothing was imported: correct this, or leave it out with "
                + "--skip-bad")
        // What GUIDs are is not guessed.
        try refused(
            "#guid column:first\ng\ta\tb\n",
            ": line 1 is '#guid column:first': use the number of a column, from 1",
            options: "--skip-bad")
        try refused(
            "#separator:tab\na,b\nc,d\n",
            ": lines 2 to 3 have no tab; nothing was imported: if fields have another separator, name "
                + "it with --separator",
            options: "--skip-bad")
        try refused(
            String(repeating: "a\t\(String(repeating: "x", count: 999))\n", count: 3_000),
            " has 3096000 bytes of cards, and a book has at most 2097152: import it in parts")
        #expect(try bus.connect().ask("get books")?.contains(#""books":[]"#) == true)
    }

    @Test func `Decks of other programs are imported, and what was decided is said`() throws {
        let bus = try BusFixture()
        var book = 0
        func imported(_ text: String, cards: Int, notes: String..., options: String...) throws {
            book += 1
            let words = ["import", "-", "-n", "Deck", "--again", "new"] + options
            try bus.start([try Products.path("books")] + words, input: text).outcome().expect(
                output: #"{"book":"\#(book)","address":"study/\#(book)","cards":\#(cards)}"# + "\n",
                errors: notes.map { "books: standard input: \($0)\n" }.joined())
        }
        try imported(
            "\u{FEFF}\"#html:true\";;\r\"a;b\";c;\rd;e;\r", cards: 2,
            notes: "no line has a tab, so the separator is the semicolon; --separator sets another")
        try imported("a:b\nc d:e\n", cards: 2, options: "--separator", "colon")
        try imported("{{c1::a}} {{c2::b}}\t\n", cards: 2)
        try imported(
            "a\t\tb\n<b>c</b>\td\n", cards: 2,
            notes: "in 1 line a side was empty, and the next field was taken",
            "tags in 1 line are taken as they are; --html reads them as HTML",
            "the front is column 1, the back is column 2; left out: 3; --columns front=1,back=3 takes "
                + "others")
        try imported("<b>c</b>\td\n", cards: 1, options: "--html")
        let script = try bus.connect()
        for (book, front) in ["a;b", "a", "[…] b", "a", "c"].enumerated() {
            let study = try script.ask("get study/\(book + 1)")
            #expect(study?.contains(#""card":{"front":"\#(front)","#) == true)
        }
    }
}

/// A deck whose columns are not named, on a terminal.
@Suite(.needs("tmux"), .showsScreens)
struct ColumnQuestionTests {
    @Test func `A question on the terminal asks for the columns of the sides`() throws {
        let (bus, tmux, folder) = (try BusFixture(), try Tmux(), try Folder())
        try folder.write("1\tchien\tn\tdog\n2\tlire\tv\tread\n", to: "deck.txt")
        let books = try Products.path("books")
        try tmux.open(
            "deck", "env BUSD_SOCKET=\(bus.socket) \(books) import \(folder("deck.txt"))")
        try tmux.awaitText(#/1 +2 +3 +4\n +1 +chien +n +dog/#, "the columns", in: "deck")
        try tmux.awaitText(#/Which column is the front/#, "a question", in: "deck")
        try tmux.press("9", "Enter", in: "deck")
        try tmux.awaitText(#/front.*\n9\nWhich column is the front/#, "it again", in: "deck")
        try tmux.press("2", "Enter", in: "deck")
        try tmux.awaitText(#/Which column is the back/#, "a question", in: "deck")
        try tmux.press("4+3", "Enter", in: "deck")
        try tmux.awaitText(#/2 cards in book 1/#, "the end", in: "deck")
        let cards = try bus.connect().ask("get cards/1")
        #expect(cards?.contains(#"{"front":"chien","back":"dog\nn"}"#) == true)
        #expect(try bus.stop().status == 0)
    }
}

/// Programs that print lines, and readers that close the pipe.
struct ClosedPipeTests {
    private static let newGame = """
        send games createGame {"home":{"name":"Hawks","players":["Ann","Bo","Cy"]},\
        "away":{"name":"Jets","players":["Dee","Eli","Fay"]}}
        """

    @Test func `A closed pipe ends the scoreboard of a paused game`() throws {
        let bus = try BusFixture()
        #expect(try bus.connect().ask(Self.newGame + "\nping")?.hasPrefix(#"{"ok""#) == true)
        try bus.run("bash", "-c", "\(try Products.path("scoreboard")) --plain | head -n1")
            .expect(output: "Hawks 0 - 0 Jets  00:00.0  paused\n")
    }

    @Test func `A closed pipe ends the books program`() throws {
        let bus = try BusFixture()
        try bus.run("bash", "-c", "\(try Products.path("books")) --plain | head -n1")
            .expect(output: "0% KNOWN\n")
    }

    @Test func `Output that cannot be written is an error`() throws {
        let bus = try BusFixture()
        let books = try Products.path("books")
        try bus.run("bash", "-c", "\(books) --once > /dev/full").expect(
            status: 74, errors: "books: standard output: No space left on device\n")
    }

    @Test func `The program books prints once with --once, and each change with --plain`() throws {
        let bus = try BusFixture()
        let books = try Products.path("books")
        let script = try bus.connect()
        try script.send(
            #"send books importBook {"name":"Kanji","cards":[{"front":"水","back":"water"}]}"#)
        #expect(try script.ask("ping") == #"{"ok":{}}"#)
        try bus.run(books, "--once").expect(output: "0% KNOWN\n1  Kanji  1 card  0%\n")
        try bus.run(books, "--once", "1").expect(output: "0% KNOWN  1 of 1  水\n")
        try bus.run(books, "--once", "7").expect(
            status: 2, errors: "books: there is no book 7, or it is deleted\n")
        let follower = try bus.start([books, "--plain"])
        #expect(try follower.output.lines(2) == ["0% KNOWN", "1  Kanji  1 card  0%"])
        let study = try bus.start([books, "--plain", "study/1"])
        #expect(try study.output.line() == "0% KNOWN  1 of 1  水")
        try script.send("send study/1 reveal", "send study/1 known")
        #expect(try study.output.lines(2) == ["0% KNOWN  1 of 1  水 = water", "100% KNOWN  done"])
        #expect(try follower.output.lines(2) == ["100% KNOWN", "1  Kanji  1 card  100%"])
        try script.send(#"send books deleteBook {"book":"1"}"#)
        try study.outcome().expect(status: 4, errors: "books: the book is no longer there\n")
        #expect(
            try follower.output.lines(2) == ["0% KNOWN", "1  Kanji  1 card  100%  deleted"])
    }

    @Test func `Lines of standard input answer the cards of a book`() throws {
        let bus = try BusFixture()
        let script = try bus.connect()
        try script.send(
            #"send books importBook {"name":"Kanji","cards":[{"front":"水","back":"water"}]}"#)
        #expect(try script.ask("ping") == #"{"ok":{}}"#)
        let books = try Products.path("books")
        let commands = #"known\nreveal\nKnown\nreveal\n\nundo\nagain\nwater\nu"#
        try bus.run("bash", "-c", "printf '\(commands)' | '\(books)' --plain 1").expect(
            output: """
                0% KNOWN  1 of 1  水
                reveal the card first
                0% KNOWN  1 of 1  水 = water
                revealed 水
                100% KNOWN  done
                known: 水
                no card is left
                0% KNOWN  1 of 1  水 = water
                the last answer was taken back
                cards are left
                write reveal, known, unknown, undo or again
                0% KNOWN  1 of 1  水
                unknown: 水

                """)
        try bus.run("bash", "-c", "echo known | '\(books)' --plain").expect(
            output: """
                0% KNOWN
                1  Kanji  1 card  0%
                write commands to the study of a book, such as books --plain 3

                """)
    }
}
