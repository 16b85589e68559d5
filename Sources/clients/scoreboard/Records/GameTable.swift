import BusdGamesEvents
import BusdProtocol

/// Games as CSV (RFC 4180, with LF): a line for each player, then a line for each play.
struct GameTable {
    /// Whether a spreadsheet takes no cell for a formula. This changes names, so it is optional.
    /// See https://owasp.org/www-community/attacks/CSV_Injection.
    var escapesFormulas = false

    private static let columns =
        [
            "game", "created", "status", "winner", "record", "side", "team", "number", "player",
            "points",
        ] + Plays.Move.allCases.map(\.rawValue) + ["play", "time", "move"]

    var head: String { line(Self.columns) }

    func lines(of game: GameRecord) -> String {
        (players(of: game) + plays(of: game)).map(line).joined()
    }

    private func players(of game: GameRecord) -> [[String]] {
        game.teams.flatMap { team in
            team.players.enumerated().map { place, player in
                start(of: game, "player", team, number: place + 1, player.name)
                    + ["\(player.points)"]
                    + Plays.Move.allCases.map { "\(player.counts[$0] ?? 0)" } + ["", "", ""]
            }
        }
    }

    private func plays(of game: GameRecord) -> [[String]] {
        let counts = Array(repeating: "", count: 1 + Plays.Move.allCases.count)
        return game.plays.compactMap { play in
            game.teams.first { $0.side == play.side }.map { team in
                start(of: game, "play", team, number: play.index.value + 1, game.name(of: play))
                    + counts + [play.id, play.time ?? "", play.move.rawValue]
            }
        }
    }

    private func start(
        of game: GameRecord, _ record: String, _ team: GameRecord.Team, number: Int,
        _ player: String
    ) -> [String] {
        [
            game.id, game.created ?? "", game.status.rawValue, game.winner?.rawValue ?? "", record,
            team.side.rawValue, team.name, "\(number)", player,
        ]
    }

    private func line(_ fields: [String]) -> String {
        fields.map(escapesFormulas ? Self.escaped : Self.quoted).joined(separator: ",") + "\n"
    }

    /// In quotes if a comma, a quote, or a space at an end would change the field.
    private static func quoted(_ text: String) -> String {
        let bytes = text.utf8
        let isPlain =
            !bytes.contains {
                [.quote, .lineFeed, .carriageReturn, UInt8(ascii: ",")].contains($0)
            }
            && bytes.first != UInt8(ascii: " ") && bytes.last != UInt8(ascii: " ")
        return isPlain ? text : text.inQuotes
    }

    /// Some spreadsheets take the wide forms as well.
    private static let beginningsOfFormulas: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]

    /// In quotes in any case: some spreadsheets split lines at semicolons or tabs, too.
    private static func escaped(_ text: String) -> String {
        let first = text.unicodeScalars.first { $0 != " " }
        return first.map(beginningsOfFormulas.contains) == true
            ? "'\(text)".inQuotes : text.inQuotes
    }
}

extension String {
    /// In double quotes, with each quote doubled.
    fileprivate var inQuotes: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}
