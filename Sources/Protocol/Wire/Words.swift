/// The words form (PROTOCOL.md, section 8): a request as a person types it. It is turned into the
/// JSON that says the same.
public enum Words {
    /// Throws `unknownOp`, `badRequest` or, where the payload of an event is not JSON, `parse`.
    public static func json(_ line: String, limits: Limits) throws(WireError) -> [UInt8] {
        guard !line.utf8.contains(0) else { throw WireError(.parse, "U+0000 is not accepted") }
        var rest = Substring(line).utf8
        let op = word(&rest)
        var request = JSONWriter()
        request.beginObject()
        request.member("op", op)
        switch op {
        case "list": optional(&rest, "to", &request)
        case "get", "describe", "unsubscribe": try needed(&rest, "to", &request)
        case "subscribe":
            try needed(&rest, "to", &request)
            optional(&rest, "as", &request)
        case "send":
            try needed(&rest, "to", &request)
            try event(&rest, &request, limits)
        case "ping", "help": break
        default: throw RequestFields.unknownOp(op, among: operations)
        }
        guard rest.isEmpty else {
            throw WireError(.badRequest, "\(op) has too many words: \(Substring(rest))")
        }
        request.endObject()
        return request.bytes
    }

    private static let operations = Request.examples.map(\.op).filter { $0 != "hello" }

    /// A word ends at a space, whatever the next letter combines with.
    private static func word(_ rest: inout Substring.UTF8View) -> String {
        let space = UInt8(ascii: " ")
        let word = rest.prefix { $0 != space }
        rest = rest.dropFirst(word.count).drop { $0 == space }
        return String(Substring(word))
    }

    private static func needed(
        _ rest: inout Substring.UTF8View, _ key: String, _ request: inout JSONWriter
    ) throws(WireError) {
        let word = word(&rest)
        guard !word.isEmpty else { throw WireError(.badRequest, "\(key) is missing") }
        request.member(key, word)
    }

    private static func optional(
        _ rest: inout Substring.UTF8View, _ key: String, _ request: inout JSONWriter
    ) {
        let word = word(&rest)
        if !word.isEmpty { request.member(key, word) }
    }

    /// The event's name, and its payload if there is one.
    private static func event(
        _ rest: inout Substring.UTF8View, _ request: inout JSONWriter, _ limits: Limits
    ) throws(WireError) {
        let name = word(&rest)
        guard !name.isEmpty else {
            throw WireError(.badRequest, "the event's name is missing")
        }
        request.key("event")
        guard !rest.isEmpty else { return request.value(name) }
        // Read by itself, so that a payload can't end the event and go on with the request.
        try JSONDocument().read(Array(rest), limits: limits)
        request.beginObject()
        request.key(name)
        request.raw(rest)
        request.endObject()
        rest = Substring().utf8
    }
}
