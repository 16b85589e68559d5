import BusdGamesEvents
import BusdProtocol
import BusdSite

/// A game: for a wall, a phone or a video, and for the phone that keeps the score.
struct ScorePage: Page {
    enum Look {
        /// Fills a wall or a phone.
        case page
        /// A transparent strip for a video.
        case overlay
    }

    let game: GameValues
    let look: Look
    /// Nil: the page is for looking.
    let scorer: Scorer?

    init(_ game: GameValues, look: Look = .page, scorer: Scorer? = nil) {
        self.game = game
        self.look = look
        self.scorer = look == .overlay ? nil : scorer
    }

    var title: String { game.title }
    /// An overlay has no colour scheme: a dark one would make it opaque in a video.
    var colorScheme: String { look == .overlay ? "light" : "light dark" }

    var mayScore: Bool {
        if case .scorekeeper = scorer { true } else { false }
    }

    var links: HTML? {
        if mayScore { return scoringLinks }
        return look == .overlay ? Self.overlayLink : nil
    }

    static let overlayLink: HTML =
        "<link rel=\"stylesheet\" href=\"\(GamesAssets.overlayStyle.link)\">\n"

    private var kind: String {
        look == .overlay ? "overlay" : mayScore ? "score scoring" : "score"
    }

    var body: HTML {
        """
        <main class="\(kind)" data-from="\(game.address.text)" data-digits="\(game.digits)" \
        data-state="\(game.state?.rawValue)" data-winner="\(game.winner?.rawValue)"\
        \(mayScore ? scoringModule : nil)>
        <h1 class="unseen">Game \(game.address.name)</h1>
        <p class="unseen" id="spoken" role="status">\(game.sentence)</p>
        <section class="board" aria-label="Score">
        \(clock)
        \(team(.home))
        <span class="dash" aria-hidden="true">–</span>
        \(team(.away))
        </section>
        \(look == .overlay ? nil : players)
        <div class="bottom">
        \(Notices.html(gone: "This game was deleted.", menu: [.games]))
        \(mayScore ? controls : nil)
        </div>
        </main>
        """
    }

    /// All words of the state; the style sheet shows one of them.
    private var clock: HTML {
        """
        <div class="clock"><span class="time" role="timer" aria-live="off" data-value="time.text"\
        \(look == .overlay ? " data-short" : nil)>\(shownTime)</span>
        <span class="state"><span>running</span><span>paused</span><span>Final</span></span>
        \(mayScore ? pause : nil)</div>
        """
    }

    /// An overlay leaves out the tenths, which nobody reads in a video.
    private var shownTime: String? {
        guard look == .overlay, let time = game.time else { return game.time }
        return time.utf8.split(separator: UInt8(ascii: ".")).first.map { String(Substring($0)) }
    }

    private func team(_ side: Side) -> HTML {
        """
        <div class="team \(side.rawValue)"><div class="who">\
        <bdi class="name" data-value="teams.\(side.rawValue)">\(game[side].name)</bdi>\
        <span class="won">★ winner</span></div>\
        <div class="digits" data-value="score.\(side.rawValue)" data-pulse>\(game[side].points)\
        </div></div>
        """
    }
}
