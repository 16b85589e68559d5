/// A number of places that many clients share.
///
/// While there are free places, each client takes as many as it likes. When all are taken, the
/// client with the most places loses one to a client that has fewer.
struct HTTPPlaces<Client: Hashable, Holder: AnyObject> {
    enum Outcome {
        case taken
        /// This holder has lost its place.
        case takenFrom(Holder)
        /// No client has more places than this one.
        case full
    }

    private let most: Int
    private var holders: [Client: [Holder]] = [:]
    private(set) var count = 0

    init(_ most: Int) { self.most = most }

    mutating func take(_ holder: Holder, for client: Client) -> Outcome {
        var outcome = Outcome.taken
        if count >= most {
            guard let loser = loser(to: client), let lost = holders[loser]?.last else {
                return .full
            }
            leave(lost, of: loser)
            outcome = .takenFrom(lost)
        }
        holders[client, default: []].append(holder)
        count += 1
        return outcome
    }

    func hasRoom(for client: Client) -> Bool { count < most || loser(to: client) != nil }

    /// No effect if it has lost its place before.
    mutating func leave(_ holder: Holder, of client: Client) {
        guard let index = holders[client]?.firstIndex(where: { $0 === holder }) else { return }
        holders[client]?.remove(at: index)
        if holders[client]?.isEmpty == true { holders[client] = nil }
        count -= 1
    }

    /// The client with the most places, if it still has as many as `client` afterwards.
    private func loser(to client: Client) -> Client? {
        let own = holders[client]?.count ?? 0
        guard let most = holders.max(by: { $0.value.count < $1.value.count }),
            most.value.count >= own + 2
        else { return nil }
        return most.key
    }
}
