import BusdClient
import BusdProtocol
import Testing

/// A view of one player that connects again and resumes with its cursor, as a client should.
final class Follower {
    private let path: String
    private let address: String
    private(set) var client: Client?
    private var cursor: Cursor?
    private var isResumed = false
    /// The count that the view shows.
    private(set) var fouls = 0
    private(set) var isLive = false
    private(set) var restarts = 0

    init(_ path: String, of address: String) {
        self.path = path
        self.address = address
    }

    func connect() throws {
        let client = try Client(path)
        let since = cursor.map { #","since":"\#($0)""# } ?? ""
        try client.send(#"{"op":"subscribe","to":"\#(address)"\#(since)}"#)
        self.client = client
        isLive = false
    }

    func disconnect() { client = nil }

    /// Handles the lines that have arrived.
    func readAvailable() throws {
        while let line = try client?.takeLine() { try take(line) }
        if client?.hasEnded == true { client = nil }
    }

    private func take(_ line: BusLine) throws {
        switch line {
        case .ok(let value, _): isResumed = value["resumed"]?.boolean == true
        case .event(let event): take(event)
        case .live(_, let new):
            let new = try #require(new)
            if isResumed { #expect(new == cursor, "it has resumed, and lacks something") }
            if let cursor, cursor.mark != new.mark { restarts += 1 }
            cursor = new
            isLive = true
        case .bye: break
        default: Issue.record("\(line)")
        }
    }

    private func take(_ event: BusEvent) {
        let count = event.event["foulMoveCount"]?["count"]?.integer
        if event.isSnapshot {
            #expect(!isResumed, "a snapshot after it had resumed")
            guard let count else { return }
            #expect(count >= fouls, "what was shown is lost")
            fouls = count
            return
        }
        guard let known = cursor else {
            Issue.record("an event before the first cursor")
            return
        }
        #expect(event.seq == known.seq + 1, "an event is lost or there twice")
        cursor = Cursor(mark: known.mark, seq: event.seq)
        // All moves are fouls, so each event adds one.
        #expect(count == fouls + 1, "a foul is lost or there twice")
        fouls = count ?? fouls
    }
}
