/// Removes the sequences of keys that are not in the terminal's description. They arrive as Escape
/// and then as text, such as `ESC [ 1 ; 3 A`, but nobody has typed that text.
enum EscapeSequences {
    /// Terminals differ most in Home and End, so all usual sequences of these keys are here.
    private static let named: [(text: String, key: Key)] = [
        ("[H", .home), ("[1~", .home), ("[7~", .home), ("OH", .home),
        ("[F", .end), ("[4~", .end), ("[8~", .end), ("OF", .end),
    ]

    /// - Parameter keys: keys that arrived together.
    /// - Returns: the keys without the sequences of unknown keys.
    static func removed(from keys: [Key]) -> [Key] {
        var result: [Key] = []
        var rest = keys[...]
        while let key = rest.popFirst() {
            guard key == .escape, case .text(let introducer)? = rest.first else {
                result.append(key)
                continue
            }
            let known = named.first { rest.starts(with: $0.text.unicodeScalars.map(Key.text)) }
            if let known {
                result.append(known.key)
                rest = rest.dropFirst(known.text.unicodeScalars.count)
                continue
            }
            switch introducer {
            case "[": rest = afterControlSequence(rest.dropFirst())
            case "O" where rest.count > 1: rest = rest.dropFirst(2)
            default: result.append(key)
            }
        }
        return result
    }

    /// Drops parameters, intermediates and one final byte (ECMA-48, 5.4).
    private static func afterControlSequence(_ keys: ArraySlice<Key>) -> ArraySlice<Key> {
        keys.drop { key in
            guard case .text(let scalar) = key else { return false }
            return 0x20...0x3F ~= scalar.value
        }.dropFirst()
    }
}
