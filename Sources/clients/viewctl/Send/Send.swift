import BusdClient
import BusdEventLoop
import BusdOptions
import BusdProtocol
import BusdScreens

/// `viewctl send ADDRESS EVENT [PAYLOAD]`
struct Send: Question {
    static let name = "send"
    static let verb = Verb(
        name, "send an event; the payload is JSON",
        options: [keyOption, ifSeqOption, ifDoneOption, eventsOption, expectChangeOption],
        operands: [
            Operand("ADDRESS"), Operand("EVENT", .oneOrNone), Operand("PAYLOAD", .oneOrNone),
        ])

    static let keyOption = Option(
        "key", "k", argument: "TEXT",
        "an event that is sent again with the same key has no effect (default: a new key)")
    static let ifSeqOption = Option(
        "if-seq", argument: "CURSOR",
        "refuse the event (stale) unless the view model is still at this cursor, from get "
            + "--cursor or live; a plain seq is accepted too")

    static let ifDoneOption = Option(
        "if-done", argument: "DONE",
        "refuse the event (stale) if something was done since get --cursor or live reported "
            + "this done; a running clock does not count")
    static let expectChangeOption = Option(
        "expect-change", "x", "exit with status 6 if nothing has changed")
    static let eventsOption = Option(
        "events", "e", "print the events of ADDRESS that the send causes, not the answer")

    let address: Address
    let request: BusRequest
    let showsEvents: Bool
    let expectsChange: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        address = try arguments.address(arguments.operands[0])
        showsEvents = arguments.has(Self.eventsOption)
        expectsChange = arguments.has(Self.expectChangeOption)
        request = .send(
            try Self.event(arguments), to: address,
            ifSeq: try arguments.value(
                Self.ifSeqOption, "a cursor from get --cursor or live, or a seq",
                Self.seqCondition),
            ifDone: try arguments.value(
                Self.ifDoneOption, "a done from get --cursor or live", Cursor.init),
            // With a key it can be sent again after a lost connection.
            key: try Self.key(arguments) ?? String(UInt64.random(in: .min ... .max), radix: 36))
    }

    private static func key(_ arguments: Arguments) throws(UsageError) -> String? {
        guard let key = arguments[keyOption] else { return nil }
        let most = Limits().text
        if (1...most).contains(key.utf8.count) { return key }
        throw arguments.error("--key needs a text of 1 to \(most) bytes")
    }

    private static func seqCondition(_ text: String) -> SeqCondition? {
        if let cursor = Cursor(text) { return .cursor(cursor) }
        guard let seq = Int(text), 0...Limits.largestInteger ~= seq else { return nil }
        return .seq(seq)
    }

    private static func event(_ arguments: Arguments) throws(UsageError) -> [UInt8] {
        let words = arguments.operands.dropFirst()
        guard let name = words.first else { throw arguments.error("missing EVENT") }
        do throws(WireError) {
            return try event(name, payload: words.dropFirst().first.map { Array($0.utf8) })
        } catch {
            throw arguments.error("PAYLOAD is not JSON: \(error.message)")
        }
    }

    /// The event as JSON. Throws if the payload is not JSON.
    static func event(_ name: String, payload: [UInt8]?) throws(WireError) -> [UInt8] {
        var json = JSONWriter()
        guard let payload else {
            json.value(name)
            return json.bytes
        }
        try JSONDocument().read(payload)
        json.object { out in
            out.key(named: name)
            out.raw(payload)
        }
        return json.bytes
    }

    func run(_ settings: CommandSettings, _ console: Console) throws -> ExitStatus {
        let session = try settings.session(else: .total(.seconds(5)))
        return showsEvents
            ? try printEvents(session, settings.form, console)
            : try ask(session, settings.form, console)
    }

    /// Sends with `--events`: prints the events instead of the answer.
    func printEvents(_ session: Session, _ form: OutputForm, _ console: Console) throws
        -> ExitStatus
    {
        let sending = Sending(self, session, console, form)
        let ok = try sending.run()
        if !sending.hasPrinted { console.note(whyNoEvents(ok)) }
        return Self.status(after: ok, expectsChange: expectsChange)
    }

    func status(after answer: Answer) -> ExitStatus {
        Self.status(after: answer.value, expectsChange: expectsChange)
    }

    static func status(after ok: JSONValue, expectsChange: Bool) -> ExitStatus {
        expectsChange && ok["changed"]?.boolean == false ? .unchanged : .done
    }

    private func whyNoEvents(_ ok: JSONValue) -> String {
        if ok["duplicate"]?.boolean == true {
            return "this was already done, and its events are no longer known"
        }
        if ok["changed"]?.boolean == false { return "nothing changed" }
        return "done, without an event of \(address); the change may be at another address"
    }

    func show(_ answer: Answer, _ form: OutputForm, _ console: Console) {
        console.put(answer.value, form) { [Self.text(answer.value, $0)] }
    }

    static func text(_ ok: JSONValue, _ style: TextStyle) -> String {
        let numbers = ok["seq"]?.elements.compactMap(\.integer) ?? []
        let isChange = ok["changed"]?.boolean != false
        var parts: [String] = []
        if ok["duplicate"]?.boolean == true {
            parts.append("done before")
        } else if isChange {
            parts.append("done")
        }
        if !isChange { parts.append("nothing changed") }
        if let first = numbers.first, let last = numbers.last {
            parts.append(first == last ? "seq \(first)" : "seq \(first) to \(last)")
        }
        if let made = ok["made"]?.text { parts.append("made \(made.printable)") }
        if let count = ok["done"]?.text { parts.append("done \(count.printable)") }
        return style.dim(parts.joined(separator: ", "))
    }
}
