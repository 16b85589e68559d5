/// The form of requests that people type (docs/protocol.md, "Requests in words"). It is translated
/// into the JSON of the same request.
///
/// The payload is copied as bytes, and never quoted in an error: it may contain a password.
package enum Words {
    private typealias Rest = Slice<UnsafeBufferPointer<UInt8>>

    /// Throws `unknownOp`, `badRequest`, or `parse` if the payload of an event is not JSON.
    package static func json(
        _ line: Span<UInt8>, limits: Limits = Limits()
    ) throws(WireError) -> [UInt8] {
        try line.withUnsafeBufferPointer { line throws(WireError) in
            try check(line)
            var rest = line[...]
            return try json(&rest, limits)
        }
    }

    /// The same for a line in an array.
    package static func json(
        _ line: [UInt8], limits: Limits = Limits()
    ) throws(WireError) -> [UInt8] {
        try json(line.span, limits: limits)
    }

    private static func check(_ line: UnsafeBufferPointer<UInt8>) throws(WireError) {
        guard (try? UTF8Span(validating: line.span)) != nil, !line.starts(with: "\u{FEFF}".utf8)
        else { throw WireError(.parse, "a line must be UTF-8 without a byte-order mark") }
        guard !line.contains(0) else { throw WireError(.parse, "U+0000 is not allowed") }
    }

    private static func json(
        _ rest: inout Rest, _ limits: Limits
    ) throws(WireError) -> [UInt8] {
        let op = try operation(&rest)
        var request = JSONWriter()
        request.beginObject()
        request.member("op", op)
        switch op {
        case "list": optional(&rest, "to", &request)
        case "describe": optional(&rest, "to", &request)
        case "get", "unsubscribe": try address(&rest, &request, op)
        case "subscribe":
            try address(&rest, &request, op)
            optional(&rest, "as", &request)
        case "send":
            try address(&rest, &request, op)
            try event(&rest, &request, limits)
        case "help": request.member("as", "words")
        case "ping": break
        default: throw RequestFields.unknownOp(op, among: operations)
        }
        guard rest.isEmpty else {
            throw WireError(.badRequest, "too many words; \(usage(of: op))")
        }
        request.endObject()
        return request.bytes
    }

    /// One line for each operation, for `help`. `hello` has no form in words.
    package static let examples: [(op: String, line: String)] = [
        ("list", "list scoreboard/**"),
        ("describe", "describe scoreboard"),
        ("get", "get scoreboard/1"),
        ("subscribe", "subscribe scoreboard/** container"),
        ("unsubscribe", "unsubscribe scoreboard/**"),
        ("send", #"send echo/me say {"text":"hello"}"#),
        ("ping", "ping"),
        ("help", "help"),
    ]

    private static let operations = examples.map(\.op)

    private static func operation(_ rest: inout Rest) throws(WireError) -> String {
        // A first word of more than 32 bytes is not a mistyped operation, so the error does not
        // repeat it.
        guard rest.prefix(33).count < 33 || rest.prefix(33).contains(UInt8(ascii: " ")) else {
            throw RequestFields.unknownOp(nil, among: operations)
        }
        return word(&rest)
    }

    /// A word ends at a space, even if a combining mark follows the space.
    private static func word(_ rest: inout Rest) -> String {
        let space = UInt8(ascii: " ")
        let word = rest.prefix { $0 != space }
        rest = rest.dropFirst(word.count).drop { $0 == space }
        return String(decoding: word, as: UTF8.self)
    }

    private static func usage(of op: String) -> String {
        let operands =
            switch op {
            case "list": " [PATTERN]"
            case "describe": " [ADDRESS-OR-KIND]"
            case "get": " ADDRESS"
            case "subscribe": " PATTERN [VIEWNAME]"
            case "unsubscribe": " PATTERN"
            case "send": " ADDRESS EVENT [PAYLOAD]"
            default: ""
            }
        return "usage: \(op)\(operands)"
    }

    private static func address(
        _ rest: inout Rest, _ request: inout JSONWriter, _ op: String
    ) throws(WireError) {
        let word = word(&rest)
        guard !word.isEmpty else { throw WireError(.badRequest, usage(of: op)) }
        request.member("to", word)
    }

    private static func optional(
        _ rest: inout Rest, _ key: StaticString, _ request: inout JSONWriter
    ) {
        let word = word(&rest)
        if !word.isEmpty { request.member(key, word) }
    }

    /// Writes the event's name, and its payload if there is one.
    private static func event(
        _ rest: inout Rest, _ request: inout JSONWriter, _ limits: Limits
    ) throws(WireError) {
        guard !rest.prefix(while: { $0 != UInt8(ascii: " ") }).contains(UInt8(ascii: "{")) else {
            throw WireError(.badRequest, "put a space between the event and its payload")
        }
        let name = word(&rest)
        guard !name.isEmpty else { throw WireError(.badRequest, usage(of: "send")) }
        request.key("event")
        guard !rest.isEmpty else { return request.value(name) }
        // The payload is read on its own, so that it cannot close the event and add members to the
        // request. Marks in its texts are counted when the request is read.
        var limits = limits
        limits.marks = .max
        let payload = UnsafeBufferPointer(rebasing: rest)
        try JSONDocument().read(payload.span, limits: limits)
        request.beginObject()
        request.key(named: name)
        // Reserved now: growth after the payload is in it would leave a copy of the payload in
        // freed memory.
        request.bytes.reserveCapacity(request.bytes.count + payload.count + 2)
        request.raw(payload)
        request.endObject()
        rest = rest.dropFirst(payload.count)
    }
}
