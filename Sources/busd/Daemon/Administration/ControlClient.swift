import BusdEventLoop
import BusdProtocol

/// A client of a daemon's control socket, for a command. It sends a request, and waits for the
/// answer.
final class ControlClient {
    /// Most bytes of a line: the names of ten thousand users fit.
    private static let longestLine = 4 << 20

    /// The answer is late or invalid.
    struct NoAnswer: Error {}

    private let lines: LineChannel
    private let end: ContinuousClock.Instant
    private let document = JSONDocument(isLenient: true)

    /// - Parameter timeout: milliseconds that all answers together may take.
    init(_ descriptor: Descriptor, timeout: Int32) {
        lines = LineChannel(descriptor, longestLine: Self.longestLine)
        end = .now + .milliseconds(Int(widening: timeout))
    }

    /// Sends a request, and returns the member `ok` of its answer. The value is valid until the
    /// next line is read.
    ///
    /// - Throws: `NoAnswer`, or `StartError` with the message if the answer is an error.
    @discardableResult
    func ask(_ members: (inout JSONWriter) -> Void) throws -> JSONValue {
        var out = JSONWriter()
        out.object { out in
            members(&out)
            out.member("id", 1)
        }
        lines.send(out.bytes, until: end)
        while true {
            let line = try nextLine()
            if let message = (line["bye"] ?? line["error"])?["message"]?.text {
                throw StartError(message)
            }
            if let answer = line["ok"], line["id"] != nil { return answer }
        }
    }

    @discardableResult
    func send(_ event: (inout JSONWriter) -> Void, to address: Address) throws -> JSONValue {
        try ask { out in
            out.member("op", "send")
            out.member("to", address.text)
            out.key("event")
            event(&out)
        }
    }

    /// The values of a view model.
    func get(_ address: Address) throws -> JSONValue {
        try ask { out in
            out.member("op", "get")
            out.member("to", address.text)
        }
    }

    /// Sends an event without a payload, and waits for an event that reports the result.
    ///
    /// - Parameter results: the names of these events.
    func send(
        _ event: String, to address: Address, awaiting results: [String]
    ) throws -> JSONValue {
        try ask { out in
            out.member("op", "subscribe")
            out.member("to", address.text)
            out.member("only", results)
        }
        try send({ $0.value(event) }, to: address)
        while true {
            let line = try nextLine()
            if let message = line["bye"]?["message"]?.text { throw StartError(message) }
            if let event = line["event"] { return event }
        }
    }

    private func nextLine() throws(NoAnswer) -> JSONValue {
        var limits = Limits()
        (limits.values, limits.marks) = (.max, .max)
        guard let line = lines.line(until: end),
            (try? document.read(line, limits: limits)) != nil, let root = document.root
        else { throw NoAnswer() }
        return root
    }
}
