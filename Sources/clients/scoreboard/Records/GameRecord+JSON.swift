import BusdGamesEvents
import BusdProtocol

extension GameRecord {
    /// The game as one JSON object.
    var json: [UInt8] {
        var out = JSONWriter()
        out.object { out in
            out.member("game", id)
            if let created { out.member("created", created) }
            out.member("status", status.rawValue)
            if let winner { out.member("winner", winner) }
            out.member("time", time)
            out.key("teams")
            out.list { out in for team in teams { team.write(to: &out) } }
            out.key("plays")
            out.list { out in for play in plays { write(play, to: &out) } }
        }
        return out.bytes
    }

    private func write(_ play: Plays.Row, to out: inout JSONWriter) {
        out.object { out in
            out.member("play", play.id)
            if let time = play.time { out.member("time", time) }
            out.member("side", play.side)
            out.member("number", play.index.value + 1)
            out.member("player", name(of: play))
            out.member("move", play.move)
        }
    }
}

extension GameRecord.Team {
    fileprivate func write(to out: inout JSONWriter) {
        out.object { out in
            out.member("side", side)
            out.member("name", name)
            out.member("points", points)
            out.key("players")
            out.list { out in
                for (place, player) in players.enumerated() { player.write(place + 1, to: &out) }
            }
        }
    }
}

extension GameRecord.Player {
    /// - Parameter number: the place in the team, from 1.
    fileprivate func write(_ number: Int, to out: inout JSONWriter) {
        out.object { out in
            out.member("number", number)
            out.member("name", name)
            out.member("points", points)
            for move in Plays.Move.allCases {
                out.key(named: move.rawValue)
                out.value(counts[move] ?? 0)
            }
        }
    }
}
