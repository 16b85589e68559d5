import BusdSite

/// The files of the games' pages, beside those of every page.
enum GamesAssets {
    /// Of an overlay.
    static let overlayStyle = Asset(style: PackageResources.overlay_css, name: "overlay")
    /// Of the page that keeps the score.
    static let scoringStyle = Asset(style: PackageResources.score_css, name: "score")
    static let scoringScript = Asset(script: PackageResources.score_js, name: "score")

    static let all = [overlayStyle, scoringStyle, scoringScript]
}
