import BusdProtocol
import BusdSite

extension ScorePage {
    /// The second style sheet and the second module are for paired phones alone.
    var scoringLinks: HTML {
        """
        <link rel="stylesheet" href="\(GamesAssets.scoringStyle.link)">
        <link rel="modulepreload" href="\(GamesAssets.scoringScript.link)">
        <link rel="modulepreload" href="\(Assets.tapsScript.link)">

        """
    }

    /// Where page.js finds the module, and how many moves the game has: a phone takes taps also
    /// while it has no stream.
    var scoringModule: HTML {
        " data-score=\"\(GamesAssets.scoringScript.link)\" data-moves=\"\(game.moves)\""
    }

    var pause: HTML {
        """
        <button type="button" id="pause"><span class="start">Start</span>\
        <span class="stop">Pause</span></button>
        """
    }

    /// The targets count for the player that was tapped last. They are always at the same place.
    /// What is off has `aria-disabled`, which keeps the focus of a keyboard.
    var controls: HTML {
        """
        <div id="ask" role="alert" hidden><p></p>\
        <button type="button" value="yes"></button><button type="button" value="no"></button></div>
        <div class="now"><bdi id="picked">Tap a player</bdi><p id="waiting" role="status"></p></div>
        <div class="moves" role="group" aria-labelledby="picked">\
        \(Self.targets.map(target))</div>
        <div class="corrections">\
        <button type="button" id="undo" aria-disabled="true">Undo \
        <bdi>\(game.undoText)</bdi></button>\
        <button type="button" id="redo" aria-disabled="true">Redo <bdi></bdi></button></div>

        """
    }

    /// The events of a player, and their words.
    private static let targets = [
        ("onePointMove", "+1"), ("twoPointMove", "+2"), ("assistMove", "assist"),
        ("reboundMove", "rebound"), ("foulMove", "foul"),
    ]

    private func target(_ event: String, _ word: String) -> HTML {
        "<button type=\"button\" value=\"\(event)\" aria-disabled=\"true\">\(word)</button>"
    }

    func pairing(_ scorer: Scorer) -> HTML {
        """
        <p class="pairing">\(pairingText(scorer))</p>
        """
    }

    private func pairingText(_ scorer: Scorer) -> String {
        let advice = "ask for a link to \(game.address)/**"
        return switch scorer {
        case .scorekeeper(let name): "Scoring as \(name)"
        case .other(let name, let pattern):
            "Paired as \(name) for \(pattern). To keep this score, \(advice)"
        case .former: "This phone is not paired now. Taps that wait are kept: \(advice)"
        }
    }
}
