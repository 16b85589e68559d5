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
        switch self {
        case .waybar:
            text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
                .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
                .replacing("'", with: "&#39;")
        case .i3blocks:
            text.replacing("&", with: "\u{FF06}").replacing("<", with: "\u{2039}")
                .replacing(">", with: "\u{203A}")
        case .polybar: text.replacing("%{", with: "% {")
        case .tmux: text.replacing("#", with: "##")
        }
    }

    /// What keeps two parts apart that would be one sign together.
    func separator(_ line: String, _ next: String) -> String {
        self == .polybar && line.utf8.last == UInt8(ascii: "%")
            && next.utf8.first == UInt8(ascii: "{") ? " " : ""
    }
}
