import BusClient
import Options
import Protocol

/// `viewctl send ADDRESS EVENT [PAYLOAD]`
struct Send: Question {
    static let name = "send"
    static let verb = Verb(
        name, "send an event; the payload is JSON", options: [keyOption, ifSeqOption],
        operands: [Operand("ADDRESS"), Operand("EVENT"), Operand("PAYLOAD", .oneOrNone)])

    static let keyOption = Option(
        "key", "k", argument: "TEXT",
        "what is sent again with the same key has no effect (default: a new key)")
    static let ifSeqOption = Option(
        "if-seq", argument: "N", "only while the view model's seq is N, else it is refused (stale)")

    let request: BusRequest

    init(_ arguments: Arguments) throws(UsageError) {
        request = .send(
            try Self.event(arguments), to: try arguments.address(arguments.operands[0]),
            ifSeq: try arguments.integer(Self.ifSeqOption, in: 0...Limits.largestInteger),
            // With a key it may be sent again after a loss of the connection.
            key: try Self.key(arguments) ?? String(UInt64.random(in: .min ... .max), radix: 36))
    }

    private static func key(_ arguments: Arguments) throws(UsageError) -> String? {
        guard let key = arguments[keyOption] else { return nil }
        let most = Limits().text
        if (1...most).contains(key.utf8.count) { return key }
        throw arguments.error("--key wants a text of 1 to \(most) bytes")
    }

    private static func event(_ arguments: Arguments) throws(UsageError) -> [UInt8] {
        var json = JSONWriter()
        let name = arguments.operands[1]
        guard arguments.operands.count > 2 else {
            json.value(name)
            return json.bytes
        }
        let payload = Array(arguments.operands[2].utf8)
        do throws(WireError) {
            try JSONDocument().read(payload)
        } catch {
            throw arguments.error("PAYLOAD is not JSON: \(error.message)")
        }
        json.object { out in
            out.key(named: name)
            out.raw(payload)
        }
        return json.bytes
    }

    func show(_ answer: Answer, _ form: Form, _ paper: Paper) {
        show(answer.value, form, paper) { [Self.text(answer.value, $0)] }
    }

    static func text(_ ok: JSONValue, _ ink: Ink) -> String {
        let numbers = ok["seq"]?.elements.compactMap(\.integer) ?? []
        let isRepeated = ok["duplicate"]?.boolean == true
        let done = isRepeated ? "done before" : "done"
        guard let first = numbers.first, let last = numbers.last else {
            return ink.dim(isRepeated ? done : done + ", nothing changed")
        }
        return ink.dim(first == last ? "\(done), seq \(first)" : "\(done), seq \(first) to \(last)")
    }
}
