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

    /// A number of bytes, with K, M, G or T for a power of 1,024. It is at least `least`.
    package func bytes(_ option: Option, least: Int) throws(UsageError) -> Int? {
        guard let text = self[option] else { return nil }
        let units = "KMGT"
        let power = text.last.flatMap { units.firstIndex(of: $0) }
            .map { units.distance(from: units.startIndex, to: $0) + 1 }
        let digits = power == nil ? text[...] : text.dropLast()
        let isPlain = digits.utf8.allSatisfy { 48...57 ~= $0 }
        if isPlain, let number = Int(digits) {
            let unit = 1 << (10 * (power ?? 0))  // fits: at most 2^40
            let (bytes, overflows) = number.multipliedReportingOverflow(by: unit)
            if !overflows, bytes >= least { return bytes }
        }
        throw refusal(of: option, "a size such as 500M or 2G, at least \(least >> 20)M")
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

    /// One of the option's choices.
    package func choice(_ option: Option) throws(UsageError) -> String? {
        guard let text = self[option] else { return nil }
        if option.choices.contains(text) { return text }
        throw refusal(of: option, option.choices.joined(separator: " or "))
    }

    /// What `read` makes of the text. Nil if the option was not given.
    ///
    /// - Parameter expected: what is wanted, for the error if `read` returns nil.
    package func value<Value>(
        _ option: Option, _ expected: String, _ read: (String) -> Value?
    ) throws(UsageError) -> Value? {
        guard let text = self[option] else { return nil }
        if let value = read(text) { return value }
        throw refusal(of: option, expected)
    }

    private func refusal(of option: Option, _ expected: String) -> UsageError {
        error("--\(option.name) needs \(expected), not \(quoted(self[option] ?? ""))")
    }
}
