import BusdTerminal

/// The lines at the bottom: a message if there is one, else the keys. A text that is too long for
/// one line takes more.
struct StatusLine {
    /// Why there is no connection; nil while there is one.
    var loss: String?
    /// There was a connection before.
    var hadConnection = true
    /// The number of the user's events that wait for a connection.
    var waiting = 0
    /// A question that waits for a key.
    var question: String?
    /// A message, mostly about an event that failed.
    var notice: String?
    /// What a key has just done.
    var echo: String?
    var hints: [Hint]

    private var text: (words: String, style: Style)? {
        if let question { return (question, Style(.notice, bold: true)) }
        if let loss {
            let held = waiting == 0 ? "" : " (\(waiting) to be sent)"
            let attempt = hadConnection ? "reconnecting" : "connecting"
            return ("\(attempt)\(held): \(notice ?? loss)", Style(.bad, bold: true))
        }
        return notice.map { ($0, Style(.bad)) } ?? echo.map { ($0, Style(.good, bold: true)) }
    }

    private static func inner(_ area: Area) -> Area {
        area.inset(columns: area.columns >= 60 ? 4 : 0)
    }

    /// The number of rows that it needs at the bottom of an area.
    func rows(in area: Area) -> Int {
        text.map { WrappedText($0.words, columns: Self.inner(area).columns).lines.count } ?? 1
    }

    func draw(on picture: inout Picture, in area: Area) {
        let inner = Self.inner(area)
        guard let text else { return Hint.draw(hints, on: &picture, in: inner) }
        let lines = WrappedText(text.words, columns: inner.columns)
        for (row, line) in lines.cut(to: inner.rows, columns: inner.columns).enumerated() {
            picture.frame.write(line, in: inner, row: row, .left, text.style)
        }
    }
}
