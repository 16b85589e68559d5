import TestSupport
import Testing

/// The pictures of the screens: scripts/screens.sh, which `make pictures` runs too.
struct ScreenPictureTests {
    @Test(.needs("tmux", "socat"))
    func `Each screen is what its picture shows`() throws {
        try Child.run(Package.path("scripts/screens.sh"), "--check", Products.folder).expect()
    }

    @Test(.needs("tmux", "socat"))
    func `A screen without a picture is reported`() throws {
        let folder = try Folder()
        let names = ["scoreboard", "creator", "books", "busd-login"]
        try Child.run(Package.path("scripts/screens.sh"), "--check", Products.folder, folder.path)
            .expect(
                status: 1,
                output: names.map {
                    "screen-\($0).svg is not what the program shows: run make pictures\n"
                }.joined())
        #expect(folder.names == [])
    }

    /// - Parameter capture: as tmux writes it, of a screen of eight cells and one row.
    private func drawn(_ capture: String) throws -> Child.Outcome {
        try Child.run(
            "env", "LC_ALL=C", "awk", "-f", Package.path("scripts/screen.awk"), "columns=8",
            "rows=1", "-", input: capture)
    }

    @Test(arguments: [
        ("a  b", #"<text x="16" y="29" textLength="9">a</text>"#),
        ("a b", #"<text x="16" y="29" textLength="27">a b</text>"#),
        ("\u{1B}[1mé&\u{1B}[0m", #"textLength="9" font-weight="bold">é</text>"#),
        ("\u{1B}[2;38;5;208m<", ##" fill="#ff8700" opacity=".6">&lt;</text>"##),
        ("\u{1B}[31m██\u{1B}[39m█", ##"<path fill="#f47067" d="M16 16h18v18h-18z"/>"##),
        ("\u{1B}[7ma \u{1B}[27mb", ##"<path fill="#d1d7e0" d="M16 16h18v18h-18z"/>"##),
        ("\u{1B}[4m  ", #"<path d="M16 32h18v1h-18z"/>"#),
    ])
    func `Cells become text, boxes and colours`(capture: String, svg: String) throws {
        let outcome = try drawn(capture)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains(svg), "\(outcome)")
    }

    @Test(arguments: [
        ("\u{1B}[5mblink", "the attribute 5 is not known"),
        ("\u{E}q", "the control character 14 is not known"),
        ("nine keys", "the screen is larger than 8x1"),
    ])
    func `A screen that cannot be drawn is an error`(capture: String, why: String) throws {
        try drawn(capture).expect(status: 1, errors: "screen.awk: line 1: \(why)\n")
    }
}
