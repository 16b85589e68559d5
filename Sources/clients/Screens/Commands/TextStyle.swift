/// Adds colours to text, if they are wanted.
package struct TextStyle: Equatable {
    let isColoured: Bool

    package init(isColoured: Bool) { self.isColoured = isColoured }

    /// Whether the environment allows colours.
    package static func allowsColours(_ variable: (String) -> String?) -> Bool {
        if let value = variable("NO_COLOR"), !value.isEmpty { return false }
        guard let terminal = variable("TERM") else { return false }
        return terminal != "dumb" && !terminal.isEmpty
    }

    package func bold(_ text: String) -> String { paint(text, "1") }
    package func dim(_ text: String) -> String { paint(text, "2") }
    package func address(_ text: String) -> String { paint(text, "36") }

    private func paint(_ text: String, _ code: String) -> String {
        isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
