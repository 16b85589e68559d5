import BusdProtocol
package import BusdSite

extension SitePart {
    /// The list of games, and the page of each game: for a wall, a phone or a video, and for the
    /// phone that keeps the score.
    package static let games = SitePart(
        link: .games, hint: "A game is at /scoreboard/1", assets: GamesAssets.all,
        phones: PhoneUse(
            purpose: "keep the score", title: "Keep the score",
            scriptNotice: "Scoring needs JavaScript.", module: GamesAssets.scoringScript,
            opening: { pattern in
                GamesPath(gameOf: pattern.text).map { .init(path: "\($0)", presence: $0.presence) }
            },
            presence: { GamesPath(gameOf: $0.text)?.presence }),
        pages: { GamesPages($0) })
}

extension MenuLink {
    static let games = MenuLink("Games", all: "All games")
}
