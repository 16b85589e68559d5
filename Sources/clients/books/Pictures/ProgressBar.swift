import BusdTerminal

/// The known percentage, as a line that fills up.
struct ProgressBar {
    /// From 0 to 100.
    let percent: Int

    /// - Parameter text: begins with the percentage, such as `43% KNOWN`.
    init(_ text: String) {
        percent = min(100, Int(text.prefix { $0.isASCII && $0.isWholeNumber }) ?? 0)
    }

    var style: Style { percent == 100 ? Style(.good) : Style(.primary) }

    func draw(on frame: inout Frame, in area: Area) {
        let full = area.columns * percent / 100
        let (left, right) = area.split(columns: full)
        frame.write(String(repeating: "━", count: left.columns), in: left, .left, style)
        frame.rule(in: right)
    }
}
