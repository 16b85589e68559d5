/// A status bar, which obeys some characters of a text. They are made harmless in the values of
/// view models, and stay in the template.
enum Bar: String, CaseIterable {
    /// Pango markup, which has an escape for each of its characters.
    case waybar
    /// The user decides whether a block has Pango markup. So its characters are replaced by similar
    /// ones, which mean nothing in either case.
    case i3blocks
    /// `%{` begins a tag, and there is no escape.
    case polybar
    /// `#` begins a style, a variable or a command, and `##` is one `#`.
    case tmux

    /// A value of a view model.
    func harmless(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        // Bars read code points: a sign with a mark is still that sign.
        for scalar in text.unicodeScalars {
            if self == .polybar, scalar == "{", line.last == "%" { line.append(" ") }
            line.append(contentsOf: (signs[scalar] ?? String(scalar)).unicodeScalars)
        }
        return String(line)
    }

    /// What takes the place of a sign.
    private var signs: [Unicode.Scalar: String] {
        switch self {
        case .waybar:
            ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
        case .i3blocks: ["&": "+", "<": "\u{2039}", ">": "\u{203A}"]
        case .polybar: [:]
        case .tmux: ["#": "##"]
        }
    }

    /// What keeps two parts apart that would be one sign together.
    func separator(_ line: String, _ next: String) -> String {
        switch self {
        case .waybar, .i3blocks: ""
        case .polybar:
            line.utf8.last == UInt8(ascii: "%") && next.utf8.first == UInt8(ascii: "{") ? " " : ""
        case .tmux:
            // A single `#` at the end of the template's own text.
            line.utf8.reversed().prefix { $0 == UInt8(ascii: "#") }.count.isMultiple(of: 2)
                ? "" : "#"
        }
    }
}
