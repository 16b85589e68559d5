// Errors that more than one place finds. Each names the key and the fix.

extension RequestFields {
    static func missing(_ key: Key) -> WireError {
        let wanted =
            switch key {
            case .op: ", such as ping"
            case .to: ", an address such as scoreboard/1"
            case .event: ", such as togglePause"
            case .protocol: ", the integer 1"
            default: ""
            }
        return WireError(.badRequest, "add `\(key.name)`\(wanted)")
    }

    static func notText(_ key: Key) -> WireError {
        WireError(.badRequest, "`\(key.name)` must be a text")
    }

    static var notNames: WireError {
        WireError(.badRequest, "`only` must be a list of event names")
    }

    /// - Parameter name: `nil` if the text may be anything; the error then does not repeat it.
    static func unknownOp(
        _ name: String?, among known: [String] = Request.examples.map(\.op)
    ) -> WireError {
        let what = name.map { " `\($0.clipped)`" } ?? ""
        return WireError(
            .unknownOp, "unknown operation\(what): use one of \(known.joined(separator: ", "))",
            suggestions: name.map { Suggestions.near($0, among: known) } ?? [])
    }
}
