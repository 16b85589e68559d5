import BusdProtocol

/// A transcript: what clients send, and what they must get.
///
///     # a comment
///     ann> subscribe scoreboard/1
///     ann< {"ok":{"to":"scoreboard/1","matched":["scoreboard/1"],"resumed":false}}
///     ann< {"live":"scoreboard/1","cursor":"$start",…}
///     @ 1.5
///
/// `@` moves the clock by seconds. `…` stands for any characters. `$name` stands for a value at
/// first, and for this value later; `$$` is a dollar sign.
struct Transcript {
    enum Line {
        /// A comment, or an empty line.
        case other
        case request(client: String, text: String)
        case expected(client: String, pattern: LinePattern)
        case clock(seconds: String)
    }

    struct Malformed: Error {
        /// From 1.
        let line: Int
        let message: String
    }

    /// Each with its text.
    let lines: [(text: String, line: Line)]

    init(_ text: String) throws(Malformed) {
        var all = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { line in
                String(Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
            }
        if all.last?.isEmpty == true { all.removeLast() }
        lines = try all.enumerated().map { place, text throws(Malformed) in
            guard let line = Self.line(text) else {
                throw Malformed(
                    line: place + 1,
                    message: "it is neither NAME> REQUEST, NAME< LINE, @ SECONDS, nor a # comment")
            }
            return (text, line)
        }
    }

    private static func line(_ text: String) -> Line? {
        let rest = text.drop { $0 == " " }
        guard let first = rest.first, first != "#" else { return .other }
        if first == "@" {
            let seconds = String(rest.dropFirst().drop { $0 == " " })
            guard let number = Double(seconds), number > 0, number <= 1_000_000_000 else {
                return nil
            }
            return .clock(seconds: seconds)
        }
        let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        guard !name.isEmpty, let sign = rest.dropFirst(name.count).first else { return nil }
        let content = String(rest.dropFirst(name.count + 1).drop { $0 == " " })
        switch sign {
        case ">": return .request(client: String(name), text: content)
        case "<":
            let pattern = LinePattern(content)
            return pattern.isClear ? .expected(client: String(name), pattern: pattern) : nil
        default: return nil
        }
    }
}

/// The text of an expected line.
struct LinePattern: Equatable {
    private enum Part: Equatable {
        case text([UInt8])
        case value(String)
    }

    let source: String
    /// The parts before the first `…`, between two, and after the last. At least one.
    private let segments: [[Part]]

    init(_ source: String) {
        self.source = source
        segments = source.split(separator: "…", omittingEmptySubsequences: false)
            .map { Self.parts(of: $0) }
    }

    /// No value follows another one at once: where the first ends would be a guess.
    var isClear: Bool {
        segments.allSatisfy { parts in
            zip(parts, parts.dropFirst()).allSatisfy { pair in
                if case (.value, .value) = pair { false } else { true }
            }
        }
    }

    private static func parts(of text: Substring) -> [Part] {
        var parts: [Part] = []
        var literal: [UInt8] = []
        Self.eachPart(of: text) { part in
            switch part {
            case .text(let bytes): literal += bytes
            case .value:
                if !literal.isEmpty { parts.append(.text(literal)) }
                literal = []
                parts.append(part)
            }
        }
        return literal.isEmpty ? parts : parts + [.text(literal)]
    }

    private static func eachPart(of text: Substring, _ found: (Part) -> Void) {
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "$") else {
                found(.text([byte]))
                continue
            }
            let name = rest.prefix(while: isNameByte)
            if rest.first == byte {
                rest.removeFirst()
                found(.text([byte]))
            } else if let first = name.first, !first.isDigit {
                rest = rest.dropFirst(name.count)
                found(.value(String(decoding: name, as: UTF8.self)))
            } else {
                found(.text([byte]))
            }
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == UInt8(ascii: "_")
    }

    /// The text with the values; nil: one of them is not known, and this is its name.
    static func filled(
        _ text: String, with values: [String: [UInt8]]
    ) -> Result<[UInt8], UnknownValue> {
        var bytes: [UInt8] = []
        var unknown: String?
        eachPart(of: text[...]) { part in
            switch part {
            case .text(let text): bytes += text
            case .value(let name):
                if let value = values[name] { bytes += value } else { unknown = unknown ?? name }
            }
        }
        return unknown.map { .failure(UnknownValue(name: $0)) } ?? .success(bytes)
    }

    struct UnknownValue: Error {
        let name: String
    }

    /// Nil if the line is another one; else the values, with new ones. A text behind `…` is matched
    /// where it comes first.
    func match(_ line: [UInt8], _ values: [String: [UInt8]]) -> [String: [UInt8]]? {
        var (rest, known) = (line[...], values)
        for (number, segment) in segments.enumerated() {
            let isLast = number == segments.count - 1
            let places = number == 0 ? 0...0 : rest.startIndex...rest.endIndex
            let match = places.lazy.compactMap { [rest, known] place in
                Self.match(segment[...], rest[place...], known, toEnd: isLast)
            }.first
            guard let match else { return nil }
            (rest, known) = match
        }
        return known
    }

    private typealias Match = (rest: ArraySlice<UInt8>, values: [String: [UInt8]])

    private static func match(
        _ parts: ArraySlice<Part>, _ line: ArraySlice<UInt8>, _ values: [String: [UInt8]],
        toEnd isLast: Bool
    ) -> Match? {
        guard let part = parts.first else { return isLast && !line.isEmpty ? nil : (line, values) }
        func rest(_ count: Int, _ values: [String: [UInt8]]) -> Match? {
            match(parts.dropFirst(), line.dropFirst(count), values, toEnd: isLast)
        }
        switch part {
        case .text(let text): return line.starts(with: text) ? rest(text.count, values) : nil
        case .value(let name):
            if let value = values[name] {
                return line.starts(with: value) ? rest(value.count, values) : nil
            }
            let longest = line.prefix(while: isValueByte).count
            for count in stride(from: longest, to: 0, by: -1) {
                var values = values
                values[name] = Array(line.prefix(count))
                if let match = rest(count, values) { return match }
            }
            return nil
        }
    }

    // MARK: Another line

    /// The source of a pattern for another line. A `…` or a `$name` stays if the text before it is
    /// in the line; it stands for what is there up to the text behind it.
    func updated(for line: String) -> String {
        var signs: [(before: Substring, sign: String, after: Substring)] = []
        var rest = source[...]
        while let (sign, before) = Self.nextSign(in: rest) {
            rest = rest[sign.endIndex...]
            let after = Self.nextSign(in: rest)?.before ?? rest
            signs.append((before, String(sign), after))
        }
        var (text, left) = ("", line[...])
        for (before, sign, after) in signs {
            let context = before.suffix(Self.context)
            guard !context.isEmpty, let found = left.firstRange(of: context) else { continue }
            let end = after.prefix(2)
            let behind = left[found.upperBound...]
            let next = end.isEmpty ? behind.endIndex : behind.firstRange(of: end)?.lowerBound
            guard let next else { continue }
            text += Self.escaped(left[..<found.upperBound]) + sign
            left = left[next...]
        }
        return text + Self.escaped(left)
    }

    /// Characters before a sign that say which one it is.
    private static let context = 8

    /// The next `…` or `$name`, and the text before it.
    private static func nextSign(
        in text: Substring
    ) -> (sign: Substring, before: Substring)? {
        for start in text.indices {
            var sign = text[start...].prefix(1)
            if sign == "$" {
                let name = text[sign.endIndex...].prefix {
                    $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")
                }
                sign = text[start..<name.endIndex]
                guard let first = name.first, !first.isNumber else { continue }
            } else if sign != "…" {
                continue
            }
            return (sign, text[..<start])
        }
        return nil
    }

    static func escaped(_ text: Substring) -> String {
        String(text).replacing("$", with: "$$")
    }

    /// A value ends where the JSON value does.
    private static func isValueByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "}"),
            UInt8(ascii: "["), UInt8(ascii: "]"):
            false
        default: true
        }
    }
}
