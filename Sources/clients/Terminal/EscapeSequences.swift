/// What a terminal sends for a key that its description does not know comes as Escape and then as
/// text: `ESC [ 1 ; 3 A`. Nobody has typed that, so it is no text.
enum EscapeSequences {
    /// The keys that came at once, without such sequences.
    static func removed(from keys: [Key]) -> [Key] {
        var result: [Key] = []
        var rest = keys[...]
        while let key = rest.popFirst() {
            guard key == .escape, case .text(let introducer)? = rest.first else {
                result.append(key)
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
