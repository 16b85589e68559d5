import TestSupport
import Testing

/// `scoreboard export`, with a real daemon.
@Suite(.needs("jq"))
struct ExportTests {
    private let scoreboard: String

    init() throws { scoreboard = try Products.path("scoreboard") }

    private func create(_ bus: BusFixture, home: String, away: String) throws {
        let answer = try bus.connect().ask(
            #"{"op":"send","to":"games","id":1,"event":{"createGame":{"home":\#(home),"away":\#(away)}}}"#
        )
        #expect(answer?.hasPrefix(#"{"ok""#) == true)
    }

    /// Game 1 has two plays, with a comma, quotes and an equal sign in its names.
    private func playTwo(_ bus: BusFixture) throws {
        try create(
            bus, home: #"{"name":"Owls, old","players":["Ann","Bo \"B\""]}"#,
            away: #"{"name":"=Jets","players":["Ann","Di"]}"#)
        let scorer = try bus.connect()
        for line in [
            #"send scoreboard/1 setClock {"time":"01:10.3"}"#,
            "send scoreboard/1/home/2 twoPointMove",
            #"send scoreboard/1 setClock {"time":"00:59"}"#,
            "send scoreboard/1/away/1 foulMove",
        ] {
            try scorer.send(line)
        }
        #expect(try scorer.ask("ping") == #"{"ok":{}}"#)
    }

    @Test func `A game is exported with its players and its plays`() throws {
        let bus = try BusFixture()
        try playTwo(bus)
        let table = try bus.run(scoreboard, "export", "scoreboard/1", "--csv")
        let date = #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#
        #expect(table.status == 0 && table.errors == "")
        #expect(
            table.output.replacing(date, with: "DATE") == #"""
                game,created,status,winner,record,side,team,number,player,points,\#
                onePoint,twoPoint,assist,rebound,foul,play,time,move
                1,DATE,paused,,player,home,"Owls, old",1,Ann,0,0,0,0,0,0,,,
                1,DATE,paused,,player,home,"Owls, old",2,"Bo ""B""",2,0,1,0,0,0,,,
                1,DATE,paused,,player,away,=Jets,1,Ann,0,0,0,0,0,1,,,
                1,DATE,paused,,player,away,=Jets,2,Di,0,0,0,0,0,0,,,
                1,DATE,paused,,play,home,"Owls, old",2,"Bo ""B""",,,,,,,1,01:10.3,twoPoint
                1,DATE,paused,,play,away,=Jets,1,Ann,,,,,,,2,00:59.0,foul

                """#)
        let json = try bus.run(scoreboard, "export", "scoreboard/1", "--json")
        #expect(json.status == 0 && json.errors == "")
        let counts = #""onePoint":0,"twoPoint":0,"assist":0,"rebound":0"#
        let (ann, di) = (#"{"number":1,"name":"Ann","points":0,"#, #"{"number":2,"name":"Di","#)
        #expect(
            json.output.replacing(date, with: "DATE")
                == #"{"game":"1","created":"DATE","status":"paused","time":"00:59.0","teams":["#
                + #"{"side":"home","name":"Owls, old","points":2,"players":["#
                + ann + counts + #","foul":0},"#
                + #"{"number":2,"name":"Bo \"B\"","points":2,"onePoint":0,"twoPoint":1,"assist":0,"#
                + #""rebound":0,"foul":0}]},"#
                + #"{"side":"away","name":"=Jets","points":0,"players":["#
                + ann + counts + #","foul":1},"# + di + #""points":0,"# + counts
                + #","foul":0}]}],"plays":["#
                + #"{"play":"1","time":"01:10.3","side":"home","number":2,"player":"Bo \"B\"","#
                + #""move":"twoPoint"},"#
                + #"{"play":"2","time":"00:59.0","side":"away","number":1,"player":"Ann","#
                + #""move":"foul"}]}"# + "\n")
    }

    @Test func `A CSV for spreadsheets has no cell that is a formula`() throws {
        let bus = try BusFixture()
        let names = ["=cmd|x!A0", "+1", "-1", "@SUM(A1)", "＝1", "a;=1"]
        let teams = [names[..<3], names[3...]].map { players in
            let players = players.map { #""\#($0)""# }.joined(separator: ",")
            return #"{"name":"=T","players":[\#(players)]}"#
        }
        try create(bus, home: teams[0], away: teams[1])
        let plain = try bus.run(scoreboard, "export", "scoreboard/1", "--csv")
        #expect(plain.output.contains(",home,=T,1,=cmd|x!A0,0,"))
        let safe = try bus.run(
            scoreboard, "export", "scoreboard/1", "--csv", "--escape-formulas")
        #expect(safe.status == 0 && safe.errors == "")
        let lines = safe.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix(#""game","created","status","winner","record""#) == true)
        #expect(lines.count == 7)
        for (line, name) in zip(lines.dropFirst(), names) {
            let cell = name.hasPrefix("a") ? name : "'\(name)"
            #expect(line.contains(#","'=T",""#) && line.contains(#","\#(cell)","0","#))
        }
        try bus.run(scoreboard, "export", "scoreboard/1", "--json", "--escape-formulas").expect(
            status: 64,
            errors: "scoreboard export: --escape-formulas needs --csv\n"
                + "Try 'scoreboard export --help'.\n")
    }

    @Test func `All games are exported in their order, without the deleted ones`() throws {
        let bus = try BusFixture()
        let team = #"{"name":"T","players":["a"]}"#
        for _ in 1...40 { try create(bus, home: team, away: team) }
        let scorer = try bus.connect()
        for _ in 1...15 { try scorer.send("send scoreboard/7/away/1 onePointMove") }
        #expect(
            try scorer.ask(
                #"{"op":"send","to":"games","id":1,"event":{"deleteGame":{"game":"3"}}}"#)?
                .hasPrefix(#"{"ok""#) == true)
        let json = try bus.run(scoreboard, "export", "--all", "--json")
        try Child.run(
            "jq", "-r", #"[.game, .status, .winner, .teams[1].points] | map(tostring) | join(" ")"#,
            input: json.output
        ).expect(
            output: (1...40).filter { $0 != 3 }.map {
                $0 == 7 ? "7 finished away 15\n" : "\($0) paused null 0\n"
            }.joined())
        let table = try bus.run(scoreboard, "export", "--all", "--csv")
        #expect(table.output.split(separator: "\n").count == 1 + 39 * 2 + 15)
        try bus.run(scoreboard, "export", "scoreboard/3", "--csv").expect(
            status: 2, errors: "scoreboard: game 3 is deleted: in scoreboard, u takes it back\n")
        try bus.run(scoreboard, "export", "scoreboard/99", "--csv").expect(
            status: 2, errors: "scoreboard: there is no game 99\n")
    }

    @Test func `An export without games has no lines`() throws {
        let bus = try BusFixture()
        try bus.run(scoreboard, "export", "--all", "--json").expect(output: "")
    }
}
