import BusdGamesEvents
import BusdProtocol
import BusdSite

extension ScorePage {
    var players: HTML {
        """
        <div class="players">\(Side.allCases.map(table))\(scorer.map(pairing))</div>
        """
    }

    private func table(_ side: Side) -> HTML {
        """
        <table class="\(side.rawValue)"><thead><tr>\
        <th><bdi data-value="teams.\(side.rawValue)">\(game[side].name)</bdi></th>\
        <th>points</th><th>as&shy;sists</th><th>re&shy;bounds</th>\
        <th>fouls</th></tr></thead><tbody>
        \(game.players(side).map(row))</tbody></table>
        """
    }

    private func row(_ player: GameValues.Player) -> HTML {
        """
        <tr data-from="\(player.address.text)"><th>\(name(player))</th>\
        <td data-value="points.count">\(player.points)</td>\
        <td data-value="assistMoveCount.text">\(player.assist)</td>\
        <td data-value="reboundMoveCount.text">\(player.rebound)</td>\
        <td data-value="foulMoveCount.text">\(player.foul)</td></tr>

        """
    }

    private func name(_ player: GameValues.Player) -> HTML {
        guard mayScore else {
            return "<bdi data-value=\"name.text\">\(player.name)</bdi>"
        }
        return """
            <div class="who"><button type="button" aria-pressed="false">\
            <bdi data-value="name.text">\(player.name)</bdi></button></div>
            """
    }
}
