import BusdClient
import BusdProtocol
import Testing

/// A well-behaved client beside misbehaving ones. It must receive each of its events and answers,
/// and nothing else.
final class Witness {
    private let client: Client
    private var sentCount = 0

    init(at daemon: DaemonFixture) throws {
        client = try daemon.connect()
        try client.send("subscribe echo/witness")
        guard case .ok = try client.line(), case .live = try client.line() else {
            throw GaveUp(description: "the witness can't subscribe")
        }
    }

    /// Sends an event to the echo, and expects the event and the answer.
    func exchange() throws {
        sentCount += 1
        let event = #"{"say":{"text":"\#(sentCount)"}}"#
        try client.send(#"{"op":"send","to":"echo/witness","event":\#(event),"id":\#(sentCount)}"#)
        guard case .event(let event) = try client.line() else {
            throw GaveUp(description: "the witness does not hear its word \(sentCount)")
        }
        #expect(event.seq == sentCount, "the witness has lost an event, or has one twice")
        #expect(event.event["said"]?["text"]?.text == "\(sentCount)")
        guard case .ok(_, .integer(sentCount)) = try client.line() else {
            throw GaveUp(description: "the witness is not answered")
        }
    }

    /// Exchanges events until the condition holds.
    func exchange(until isSo: () throws -> Bool) throws {
        let deadline = Moment.deadline
        repeat {
            try exchange()
            try #require(Moment.now < deadline, "waited in vain")
        } while try !isSo()
    }
}
