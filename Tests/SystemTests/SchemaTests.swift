import BusdProtocol
import TestSupport
import Testing

/// `viewctl describe KIND --schema`, with a validator of JSON Schema.
struct SchemaTests {
    private let viewctl: String
    private let bus: BusFixture

    init() throws {
        viewctl = try Products.path("viewctl")
        bus = try BusFixture()
    }

    /// Each line of its input is a kind, `viewEvent` or `viewModelEvent`, and an event, with
    /// spaces between them. The schemas are in files with the names of the kinds. Prints the lines
    /// that are not valid, then how many were.
    private static let validator = """
        import json, sys
        from jsonschema import Draft202012Validator
        validators, valid = {}, 0
        for line in sys.stdin:
            kind, side, event = line.rstrip("\\n").split(" ", 2)
            if (kind, side) not in validators:
                with open(sys.argv[1] + "/" + kind) as file: schema = json.load(file)
                Draft202012Validator.check_schema(schema)
                schema["anyOf"] = [{"$ref": "#/$defs/" + side}]
                validators[kind, side] = Draft202012Validator(schema)
            if validators[kind, side].is_valid(json.loads(event)): valid += 1
            else: print(line, end="")
        print(valid)
        """

    private func validate(_ lines: [String]) throws -> String {
        let kinds = Set(lines.compactMap { $0.split(separator: " ").first.map(String.init) })
        let folder = try Folder()
        for kind in kinds {
            let schema = try bus.run(viewctl, "describe", kind, "--schema")
            #expect(schema.status == 0 && schema.errors == "")
            try folder.write(schema.output, to: kind)
        }
        return try Child.run(
            "/usr/bin/python3", "-c", Self.validator, folder.path,
            input: lines.map { $0 + "\n" }.joined()
        ).output
    }

    /// The events that a view of everything gets, in the form of the validator.
    private func events(while play: (Conversation) throws -> Void) throws -> [String] {
        let watcher = try bus.connect()
        try watcher.send("subscribe **")
        var lines: [String] = []
        func collect(until end: String) throws {
            while case let line = try #require(try watcher.line()), line != end {
                lines.append(line)
            }
        }
        try collect(until: #"{"live":"**"}"#)
        try play(try bus.connect())
        try watcher.send("ping")
        try collect(until: #"{"ok":{}}"#)
        return try lines.compactMap { line in
            let document = JSONDocument()
            try document.read(Array(line.utf8))
            guard let from = document.root?["from"]?.text, let event = document.root?["event"]
            else {
                return nil
            }
            return "\(kind(from)) viewModelEvent \(String(decoding: event.json, as: UTF8.self))"
        }
    }

    private func kind(_ address: String) -> String {
        let parts = address.split(separator: "/")
        return switch parts.first {
        case "scoreboard" where parts.last == "plays": "plays"
        case "scoreboard" where parts.count > 2: "player"
        case "bus": String(parts.last ?? "")
        case let first: String(first ?? "")
        }
    }

    @Test func `Each event of a played game and of a studied book is valid`() throws {
        let game = ##"""
            send games createGame {"home":{"name":"Owls","players":["Ann"]},\##
            "away":{"name":"Jets","players":["Bo"]},"rules":{"pointsToWin":3,"margin":1}}
            send scoreboard/1 resume
            send scoreboard/1/home/1 twoPointMove
            send scoreboard/1/away/1 foulMove
            send scoreboard/1 undo {"moves":2}
            send scoreboard/1 redo {"moves":1}
            send scoreboard/1 setClock {"time":"01:10.3"}
            send scoreboard/1 renameTeam {"side":"home","name":"Hawks","was":"Owls"}
            send scoreboard/1/home/1 onePointMove
            send games deleteGame {"game":"1"}
            send books importBook {"name":"Kanji","cards":[{"front":"a","back":"b"},\##
            {"front":"c","back":"d"}]}
            send study/1 reveal
            send study/1 known
            send study/1 undo
            send cards/1 addCard {"at":0,"card":{"front":"e","back":"f"}}
            send cards/1 removeCard {"at":0,"card":{"front":"e","back":"f"}}
            send echo/me say {"text":"hello"}
            """##
        let seen = try events { player in
            try player.send(game)
            #expect(try player.ask("ping") == #"{"ok":{}}"#)
        }
        let kinds = Set(seen.map { $0.split(separator: " ")[0] })
        #expect(
            kinds.isSuperset(of: [
                "scoreboard", "player", "plays", "games", "books", "study", "cards", "echo",
                "views",
            ]))
        #expect(seen.count > 60)
        #expect(try validate(seen) == "\(seen.count)\n")
    }

    @Test func `An event with another name, type or form is not valid`() throws {
        let wrong = [
            #"games viewModelEvent {"games":{"games":[{"id":1}]}}"#,
            #"games viewModelEvent {"games":{}}"#,
            #"games viewModelEvent {"gamesEdited":{"edits":[{"delete":{"at":"0"}}]}}"#,
            #"games viewModelEvent {"deleteGame":{"game":"1"}}"#,
            #"games viewEvent {"deleteGame":{"game":"1"},"restoreGame":{"game":"1"}}"#,
            #"study viewEvent "revealed""#,
            #"study viewModelEvent "reveal""#,
            #"views viewEvent {}"#,
        ]
        let right = [
            #"games viewEvent {"deleteGame":{"game":"1"}}"#,
            #"games viewModelEvent {"gamesEdited":{"edits":[{"delete":{"at":0}}]}}"#,
            #"study viewEvent "reveal""#, #"study viewEvent {"reveal":{}}"#,
        ]
        #expect(
            try validate(wrong + right) == wrong.map { $0 + "\n" }.joined() + "\(right.count)\n")
    }

    @Test func `An event that edits a list says which`() throws {
        let schema = try bus.run(viewctl, "describe", "books", "--schema").output
        let note = "edits the list of the event books"
        #expect(
            schema.contains(
                #"{"description":"\#(note)","type":"object","properties":{"booksEdited""#))
        #expect(schema.ranges(of: note).count == 1)
    }

    @Test func `A schema is of one kind`() throws {
        try bus.run(viewctl, "describe", "--schema").expect(
            status: 64,
            errors: """
                viewctl describe: --schema needs a kind, such as scoreboard, or an address
                Try 'viewctl describe --help'.

                """)
        let byAddress = try bus.run(viewctl, "describe", "echo/me", "--schema")
        try bus.run(viewctl, "describe", "echo", "--schema").expect(output: byAddress.output)
        try bus.run(viewctl, "describe", "ehco", "--schema").expect(
            status: 2,
            errors: "viewctl: there is no view model and no kind ehco (unknownViewModel)\n"
                + "  did you mean echo?\n")
    }
}
