/// What a terminal sends for a key that its description does not know comes as Escape and then as
/// text: `ESC [ 1 ; 3 A`. Nobody has typed that, so it is no text.
enum EscapeSequences {
    /// Terminals differ most in Home and End, so all their usual sequences are known.
    private static let named: [(text: String, key: Key)] = [
        ("[H", .home), ("[1~", .home), ("[7~", .home), ("OH", .home),
        ("[F", .end), ("[4~", .end), ("[8~", .end), ("OF", .end),
    ]

    /// The keys that came at once, without sequences of unknown keys.
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

    /// Parameters and intermediates, then one final byte (ECMA-48, 5.4).
    private static func afterControlSequence(_ keys: ArraySlice<Key>) -> ArraySlice<Key> {
        keys.drop { key in
            guard case .text(let scalar) = key else { return false }
            return 0x20...0x3F ~= scalar.value
        }.dropFirst()
    }
}
