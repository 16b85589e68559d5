import BusdClient
import BusdProtocol
import TestSupport
import Testing

extension Torture {
    /// Views that stop reading during many events, like a program that is stopped with Ctrl-Z.
    @Suite(.serialized) struct StoppedReaderTests {
        @Test func `Stopped readers get one gap, and end in the right state`() throws {
            let daemon = try DaemonFixture.inMemory(in: try Folder())
            let witness = try Witness(at: daemon)
            let readers = try (0..<8).map { _ in try Reader(of: "game-creator/busy", at: daemon) }
            let writer = try daemon.connect()
            let count = 5_000
            var requests = Requests(count + 1) {
                let event = #"{"teamNameChanged":{"side":"home","name":"\#($0 + 1)"}}"#
                return $0 == count
                    ? "ping" : #"{"op":"send","to":"game-creator/busy","event":\#(event)}"#
            }
            while requests.taken <= count {
                requests.offer(to: writer)
                try witness.exchange()
            }
            #expect(try writer.answer()?.isDone == true)
            for reader in readers {
                try reader.readAvailable(until: "\(count)")
                #expect(reader.gaps == 1)
                try witness.exchange()
            }
            daemon.stop()
        }
    }
}

/// A view of the draft of a game.
private final class Reader {
    private let client: Client
    private var seq = 0
    private var name: String?
    private(set) var gaps = 0

    init(of address: String, at daemon: DaemonFixture) throws {
        client = try daemon.connect()
        try client.send("subscribe \(address)")
        while true {
            if case .live = try client.line() { return }
        }
    }

    /// Reads until the home team has this name. Checks the number of each event.
    func readAvailable(until wanted: String) throws {
        while name != wanted {
            switch try client.line() {
            case .event(let event):
                #expect(event.seq == (event.isSnapshot ? seq : seq + 1))
                seq = event.seq
                if let draft = event.event["draft"] { name = draft["home"]?["name"]?.text }
            case .gap(_, let missed):
                gaps += 1
                seq += missed
            case .live: break
            case let other: throw GaveUp(description: "\(String(describing: other))")
            }
        }
    }
}
