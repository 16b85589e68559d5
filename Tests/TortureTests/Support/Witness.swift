import BusdClient
import BusdProtocol
import Testing

/// A well-behaved client beside misbehaving ones. It must receive each of its events and answers,
/// and nothing else.
final class Witness {
    private let client: Client
    private var said = 0

    init(at daemon: Daemon) throws {
        client = try daemon.connect()
        try client.send("subscribe echo/witness")
        guard case .ok = try client.line(), case .live = try client.line() else {
            throw GaveUp(description: "the witness can't subscribe")
        }
    }

    /// Sends an event to the echo, and expects the event and the answer.
    func speak() throws {
        said += 1
        let event = #"{"say":{"text":"\#(said)"}}"#
        try client.send(#"{"op":"send","to":"echo/witness","event":\#(event),"id":\#(said)}"#)
        guard case .event(let heard) = try client.line() else {
            throw GaveUp(description: "the witness does not hear its word \(said)")
        }
        #expect(heard.seq == said, "the witness has lost an event, or has one twice")
        #expect(heard.event["said"]?["text"]?.text == "\(said)")
        guard case .ok(_, .integer(said)) = try client.line() else {
            throw GaveUp(description: "the witness is not answered")
        }
    }

    /// Speaks until the condition holds.
    func speak(until isSo: () throws -> Bool) throws {
        let deadline = Moment.deadline
        repeat {
            try speak()
            try #require(Moment.now < deadline, "waited in vain")
        } while try !isSo()
    }
}
