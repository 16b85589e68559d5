/// Accepted connections that the library does not have yet.
///
/// They are served in rounds. A round has at most one connection of each client, so a client with
/// many connections delays only its own. When all places are taken, the newest connection of the
/// last round loses its place: it is one of a client with the most connections.
struct HTTPBacklog<Client: Hashable, Connection> {
    private let most: Int
    /// The waiting connections. The first round is being served, and always has one left.
    private var rounds: [[(client: Client, connection: Connection)]] = []
    /// Connections of the first round that were served.
    private var served = 0
    /// The number of the first round.
    private var first = 0
    /// The number of the newest round of each client.
    private var newest: [Client: Int] = [:]
    private(set) var count = 0

    init(_ most: Int) { self.most = most }

    /// Returns the connection that loses its place, if there are too many.
    mutating func add(_ connection: Connection, of client: Client) -> Connection? {
        let round = newest[client].map { $0 + 1 } ?? first
        newest[client] = round
        if round - first == rounds.count { rounds.append([]) }
        rounds[round - first].append((client, connection))
        count += 1
        return count > most ? removeNewest() : nil
    }

    /// Removes the connection that is served next.
    mutating func next() -> Connection? {
        guard let round = rounds.first else { return nil }
        served += 1
        count -= 1
        defer { endRound() }
        return round[served - 1].connection
    }

    private mutating func removeNewest() -> Connection? {
        guard let index = rounds.indices.last,
            let (client, connection) = rounds[index].popLast()
        else { return nil }
        newest[client] = index > 0 ? first + index - 1 : nil
        count -= 1
        if index > 0, rounds[index].isEmpty { rounds.removeLast() }
        endRound()
        return connection
    }

    /// Begins the next round if all of the first one were served.
    private mutating func endRound() {
        guard let round = rounds.first, round.count == served else { return }
        for (client, _) in round where newest[client] == first { newest[client] = nil }
        rounds.removeFirst()
        first += 1
        served = 0
    }
}
