import BusdProtocol
import Testing

/// Adds assists to a player of its own, one at a time and each with a key, through one daemon. So
/// the count of this player shows each `send` that is lost or done twice.
final class HouseWriter {
    let name: String
    let player: String
    private var game = ""
    private(set) var client: Client?

    /// The answered sends in this game, and in all games.
    private(set) var acknowledged = 0
    private(set) var total = 0
    private var keys = 0
    /// The key of the send without a final answer.
    private var key: String?
    /// An earlier send with this key may have happened.
    private var isRepeated = false
    private var isWaiting = false
    private var sentAt = Moment.now
    private var next = Moment.now
    /// When the newest answered send was sent.
    private(set) var newest: Moment?

    /// Microseconds between sends.
    private static let (pause, pauseOfRefusal) = (20_000, 60_000)

    init(_ name: String, player: String) { (self.name, self.player) = (name, player) }

    var isIdle: Bool { !isWaiting }
    /// Whether the newest send may have happened.
    var isOpen: Bool { key != nil }
    var address: String { "scoreboard/\(game)/\(player)" }

    func begin(_ game: String) { (self.game, acknowledged) = (game, 0) }

    /// - Parameter client: `nil`: the daemon has died, and its last answer is lost.
    func use(_ client: Client?) {
        self.client = client
        (isWaiting, next) = (false, .now)
    }

    func sendNext() throws {
        guard let client, !isWaiting, Moment.now >= next else { return }
        isRepeated = key != nil
        if key == nil { keys += 1 }
        let key = self.key ?? "\(name)-\(keys)"
        (self.key, isWaiting, sentAt) = (key, true, .now)
        try client.send(Line.send(#""assistMove""#, to: address, key: key))
    }

    func readAnswers() throws {
        while let line = try client?.takeLine() {
            if let answer = Answer(line) { received(answer) }
        }
        if client?.hasEnded == true { use(nil) }
    }

    private func received(_ answer: Answer) {
        isWaiting = false
        switch answer {
        case .done(let seq, let isDuplicate):
            #expect(isDuplicate ? isRepeated : seq != nil, "\(name): \(answer)")
            (key, newest, next) = (nil, sentAt, .after(microseconds: Self.pause))
            (acknowledged, total) = (acknowledged + 1, total + 1)
        case .refused(let error):
            next = .after(microseconds: Self.pauseOfRefusal)
            switch error.code {
            case .uncertain: break
            // Nothing has happened, so the next send gets another key, which would count twice.
            case .unavailable: if !isRepeated { key = nil }
            default: Issue.record("\(name): \(error)")
            }
        }
    }
}
