extension Arguments {
    /// A whole number in `range`. Nil if the option was not given.
    package func integer(
        _ option: Option, in range: ClosedRange<Int>
    ) throws(UsageError) -> Int? {
        guard let text = self[option] else { return nil }
        if let number = Int(text), range ~= number { return number }
        throw refusal(
            of: option, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }

    /// A span of 0 to 1e9 seconds, with an optional fraction.
    package func seconds(_ option: Option) throws(UsageError) -> Duration? {
        guard let text = self[option] else { return nil }
        let isPlain = text.utf8.allSatisfy { $0 == UInt8(ascii: ".") || 48...57 ~= $0 }
        if isPlain, let seconds = Double(text), 0...1e9 ~= seconds { return .seconds(seconds) }
        throw refusal(of: option, "a number of seconds, such as 2 or 0.5")
    }

    /// A path. It must not be empty; nothing else is checked.
    package func path(_ option: Option) throws(UsageError) -> String? {
        guard let text = self[option] else { return nil }
        if !text.isEmpty { return text }
        throw refusal(of: option, "a path")
    }

    /// One of a few words.
    package func choice(_ option: Option, of words: [String]) throws(UsageError) -> String? {
        guard let text = self[option] else { return nil }
        if words.contains(text) { return text }
        throw refusal(of: option, words.joined(separator: " or "))
    }

    private func refusal(of option: Option, _ expected: String) -> UsageError {
        error("--\(option.name) needs \(expected), not \(quoted(self[option] ?? ""))")
    }
}
