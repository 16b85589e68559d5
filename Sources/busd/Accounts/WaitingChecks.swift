import BusdHosting
import BusdProtocol

/// Checks that have not begun. Uids are served in turn, the connections of a uid in turn, and the
/// checks of a connection in their order.
///
/// A uid that begins to wait goes to the end of the queue, and so does a uid that was served and
/// has more checks. The same holds for the connections of a uid. So a uid with many waiting checks
/// delays another uid by one check.
///
/// The number of checks is bounded by the view models that ask for them: each has one check at a
/// time, and a connection has at most `Limits.perConnection` of these view models. A waiting check
/// holds one password, which it usually shares with its view model.
struct WaitingChecks {
    struct Check {
        let number: Int
        let username: String
        let password: Secret
        let sender: Sender?
        /// `nil` once the check is cancelled.
        var answer: ((PasswordVerdict) -> Void)?
    }

    private struct OfConnection {
        var turn: Int
        var checks: [Check] = []
    }

    private struct OfUser {
        var turn: Int
        /// By the number of the connection.
        var connections: [Int?: OfConnection] = [:]
    }

    private var users: [Int?: OfUser] = [:]
    private var lastTurn = 0

    mutating func append(_ check: Check) {
        let sender = check.sender
        lastTurn += 1
        users[sender?.uid, default: OfUser(turn: lastTurn)]
            .connections[sender?.connection, default: OfConnection(turn: lastTurn)]
            .checks.append(check)
    }

    /// Removes and returns the next check of a connection that is not in `busy`.
    mutating func next(besides busy: [Int?]) -> Check? {
        var first: (uid: Int?, connection: Int?, turns: (Int, Int))?
        for (uid, user) in users {
            for (connection, line) in user.connections where !busy.contains(connection) {
                let turns = (user.turn, line.turn)
                if let first, first.turns < turns { continue }
                first = (uid, connection, turns)
            }
        }
        guard let first else { return nil }
        lastTurn += 1
        users[first.uid]?.turn = lastTurn
        users[first.uid]?.connections[first.connection]?.turn = lastTurn
        return take(0, of: first.uid, first.connection)
    }

    /// Removes and returns a cancelled check; `nil` if it is not waiting.
    mutating func remove(_ number: Int, of sender: Sender?) -> Check? {
        let checks = users[sender?.uid]?.connections[sender?.connection]?.checks
        guard let place = checks?.firstIndex(where: { $0.number == number }) else { return nil }
        return take(place, of: sender?.uid, sender?.connection)
    }

    private mutating func take(_ place: Int, of uid: Int?, _ connection: Int?) -> Check? {
        let check = users[uid]?.connections[connection]?.checks.remove(at: place)
        if users[uid]?.connections[connection]?.checks.isEmpty == true {
            users[uid]?.connections[connection] = nil
        }
        if users[uid]?.connections.isEmpty == true { users[uid] = nil }
        return check
    }
}
