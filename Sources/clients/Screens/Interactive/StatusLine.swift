import BusdTerminal

/// The line at the bottom: what the person must know just now, else what can be done.
struct StatusLine {
    /// Why there is no connection; nil while there is one.
    var loss: String?
    /// How many of the person's moves go out when the daemon is back.
    var waiting = 0
    /// A question that waits for a key.
    var question: String?
    /// Something that just came to nothing.
    var notice: String?
    var hints: [Hint]

    func draw(on picture: inout Picture, in row: Area) {
        let inner = row.inset(columns: row.columns >= 60 ? 4 : 0)
        if let question {
            picture.frame.write(question, in: inner, .left, Style(.notice, bold: true))
        } else if let loss {
            let held = waiting == 0 ? "" : " (\(waiting) to be sent)"
            picture.frame.write(
                "reconnecting\(held): \(notice ?? loss)", in: inner, .left,
                Style(.bad, bold: true))
        } else if let notice {
            picture.frame.write(notice, in: inner, .left, Style(.bad))
        } else {
            Hint.draw(hints, on: &picture, in: inner)
        }
    }
}
