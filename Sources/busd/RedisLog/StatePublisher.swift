package import BusdEventLoop
package import BusdProtocol

/// Writes the states of all things to Redis when the log has grown, so that the log can be trimmed:
/// a daemon that starts later loads the states instead of all entries. Also when an entry has
/// replaced a secret, and then it removes the former one from Redis.
///
/// Only one daemon publishes at a time. All states are as of the same entry. They are encoded and
/// sent in portions, one at a time. A last call makes them current, and trims the log up to the
/// former states.
package final class StatePublisher {
    private struct Round {
        let key: String
        let number: Int
        var rest: ArraySlice<() throws -> SavedState>
        /// A portion is not answered yet.
        var isSending = false
    }

    private let log: RedisLog
    private let libraries: Libraries
    private let loop: Loop
    private let most: Int
    private var round: Round?
    private var lastTry: Int64?

    /// A round begins when there are this many entries, or bytes of entries, behind the current
    /// states; without states, after the first thousand.
    private static let most = 100_000
    private static let mostAtFirst = 1_000
    private static let mostBytes = 64 << 20
    /// Microseconds.
    private static let betweenTries: Int64 = 5_000_000
    /// Bytes.
    private static let portion = 64 << 10

    package init(_ log: RedisLog, _ libraries: Libraries, _ loop: Loop, most: Int? = nil) {
        (self.log, self.libraries, self.loop) = (log, libraries, loop)
        self.most = most ?? Self.most
    }

    /// Whether a portion can be encoded now.
    package var hasWork: Bool { round?.isSending == false }

    /// Called once per turn.
    package func attend() {
        guard log.problem == nil else {
            round = nil
            return
        }
        if let round {
            if !round.isSending { send() }
            return
        }
        let isDue = isRoundDue
        guard isDue || log.table.secret != nil, mayTry() else { return }
        if isDue { begin() } else { forget() }
    }

    private var isRoundDue: Bool {
        let table = log.table
        let entries = libraries.applied - table.statesEntry  // fits: numbers of entries
        if table.needsStates { return libraries.applied == table.newest }
        if let secret = table.secret, table.statesEntry < secret {
            return libraries.applied >= secret
        }
        return entries >= (table.statesEntry == 0 ? min(most, Self.mostAtFirst) : most)
            || table.bytes >= Self.mostBytes
    }

    private func mayTry() -> Bool {
        let now = loop.now()
        if let lastTry, now - lastTry < Self.betweenTries { return false }  // fits: times
        lastTry = now
        return true
    }

    private func begin() {
        log.call(["SET", lock, "1", "NX", "EX", "60"].map { Array($0.utf8) }) { [weak self] reply in
            guard let self, reply.string == "OK", round == nil else { return }
            let number = libraries.applied
            round = Round(
                key: HouseStates.key(log.house, number), number: number,
                rest: libraries.allStates()[...])
        }
    }

    /// Removes the secrets that the current states do not have.
    private func forget() {
        guard let secret = log.table.secret else { return }
        log.forget(upTo: secret)
    }

    /// While this key exists, other daemons do not publish. It expires after a minute, in case this
    /// daemon dies.
    private var lock: String { log.house.key("publisher") }

    private func end() {
        round = nil
        log.call(["DEL", lock].map { Array($0.utf8) }) { _ in }
    }

    private func send() {
        guard var round else { return }
        var lines: [UInt8] = []
        while lines.count < Self.portion, let state = round.rest.popFirst() {
            do {
                lines += try state().sharedForm + [.lineFeed]
            } catch {
                log.report("a state cannot be encoded for the house: \(error)")
                return end()
            }
        }
        let isLast = round.rest.isEmpty
        if isLast { lines.append(.lineFeed) }
        round.isSending = true
        self.round = round
        for words in HouseStates.words(lines, to: round.key) {
            log.call(words) { [weak self] in self?.sent($0, isLast: isLast) }
        }
    }

    /// Called with the reply to each of the two calls of a portion.
    private func sent(_ reply: RedisValue, isLast: Bool) {
        if case .error(let text) = reply {
            log.report("cannot publish the states of the house: \(text)")
            return end()
        }
        // The second call sets a time limit, and answers 1.
        guard reply == .number(1), let key = round?.key, let number = round?.number else { return }
        guard isLast else {
            round?.isSending = false
            return
        }
        log.makeCurrent(key, number) { [weak self] in self?.end() }
    }
}

extension RedisLog {
    /// Makes states current that are complete in Redis, and trims the log.
    fileprivate func makeCurrent(_ key: String, _ number: Int, then: @escaping () -> Void) {
        let words = [
            "FCALL", "busd_2_states", "5", house.head, house.log, house.digests, house.rows, key,
            identity, "\(number)",
        ]
        call(words.map { Array($0.utf8) }) { [weak self] reply in
            if reply[0].string == "ok" { self?.table.statesEntry = number }
            then()
        }
    }
}
