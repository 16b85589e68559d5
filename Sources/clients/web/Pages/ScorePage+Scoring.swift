extension ScorePage {
    /// The second style sheet and the second module are for paired phones alone.
    var links: HTML? {
        guard mayScore else { return nil }
        return """
            <link rel="stylesheet" href="\(Assets.scoringStyle.path)">
            <link rel="modulepreload" href="\(Assets.scoringScript.path)">

            """
    }

    /// Where page.js finds the module.
    var scoringModule: HTML { " data-score=\"\(Assets.scoringScript.path)\"" }

    var pause: HTML {
        """
        <button type="button" id="pause"><span class="start">Start</span>\
        <span class="stop">Pause</span></button>
        """
    }

    /// The script moves the row of targets below the player that was tapped.
    var controls: HTML {
        """
        <div id="ask" role="alert" hidden><p></p>\
        <button type="button" value="yes"></button><button type="button" value="no"></button></div>
        <p id="waiting" role="status"></p>
        <button type="button" id="undo"\(game.canUndo ? nil : " disabled")>Undo \
        <bdi>\(game.undoText)</bdi></button>
        <template id="moves"><tr class="moves"><td colspan="5"><div role="group">\
        <button type="button" value="onePointMove">+1</button>\
        <button type="button" value="twoPointMove">+2</button>\
        <button type="button" value="assistMove">assist</button>\
        <button type="button" value="reboundMove">rebound</button>\
        <button type="button" value="foulMove">foul</button></div></td></tr></template>

        """
    }

    func pairing(_ scorer: Scorer) -> HTML {
        guard scorer.mayScore else {
            return "<p class=\"pairing\">Paired as \(scorer.name), but not for this game.</p>"
        }
        return "<p class=\"pairing\">Scoring as \(scorer.name)</p>"
    }
}
