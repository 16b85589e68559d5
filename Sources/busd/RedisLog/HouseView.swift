import BusdProtocol

/// What a look at a house in Redis shows.
enum HouseSight {
    case nothing
    /// The head of the house cannot be read.
    case damaged
    case house(HouseView)

    init(_ reply: RedisValue) {
        if let view = HouseView(reply) {
            self = .house(view)
        } else {
            self = reply[0][0] == .null ? .nothing : .damaged
        }
    }
}

/// A house in Redis, and the entry at the position of a daemon.
struct HouseView {
    /// The states of all things of a house, as of an entry.
    struct States: Equatable {
        let key: String
        let entry: Int
        let chain: String
    }

    let identity: String
    /// The identity before a restore.
    let formerIdentity: String?
    /// The number of the newest entry, its time and its chain.
    let newest: Int
    let time: Instant
    let chain: String
    /// The entry at the daemon's position, if the stream has it.
    let atPosition: HouseEntry?
    /// The number of the oldest entry of the stream, and the number of its entries.
    private let oldest: Int?
    private let length: Int
    /// The stream ends with the newest entry, or is empty.
    let hasEnd: Bool
    let states: States?
    /// The time of the house.
    let now: Instant?

    /// `nil` unless the reply shows a house.
    init?(_ reply: RedisValue) {
        let head = reply[0]
        guard let identity = head[0].name, let newest = head[1].entryNumber,
            let time = head[2].instant, let chain = head[3].name
        else { return nil }
        (self.identity, self.newest, self.time, self.chain) = (identity, newest, time, chain)
        formerIdentity = head[7].name
        atPosition = HouseEntry(reply[1])
        (oldest, length) = (reply[2].streamNumber, reply[3].number ?? 0)
        (hasEnd, now) = (reply[4].number == 1, reply[5].instant)
        states =
            if let key = head[4].string, let entry = head[5].entryNumber, entry <= newest,
                let chain = head[6].name
            {
                States(key: key, entry: entry, chain: chain)
            } else {
                nil
            }
    }

    /// Two looks with the same name show the same states.
    var nameOfStates: String { "\(identity) \(states?.key ?? "")" }

    /// Whether the stream is not trimmed behind this entry. An entry may still be missing.
    func reaches(_ entry: Int) -> Bool {
        // fits: numbers of a peer are bounded
        oldest.map { $0 <= entry + 1 && entry <= newest } ?? (entry == newest)
    }

    /// Whether the stream has as many entries as it must.
    private var isWhole: Bool {
        oldest.map { length == newest - $0 + 1 } ?? true  // fits: numbers of a peer are bounded
    }

    /// Where a daemon without content begins: at the entry of the states, or at 0 if the stream
    /// begins with entry 1. `nil`: a part of the house is missing.
    var beginning: (entry: Int, chain: String)? {
        guard isWhole else { return nil }
        if let states, reaches(states.entry) { return (states.entry, states.chain) }
        return reaches(0) ? (0, HouseEntry.firstChain) : nil
    }
}

/// How a daemon continues after a look at the house.
enum HouseNextStep {
    /// Follow the log. The chain is that of the entry at the daemon's position.
    case follow(chain: String)
    /// Load the states and the entries behind them, which reach the daemon's position.
    case load(String)
    /// Go on with what the daemon has, and try again later: this is not the log that the daemon has
    /// followed, or a part of it is lost.
    case wait(String)

    /// - Parameters:
    ///   - newest: the newest entry of the daemon's own store, if it has one.
    ///   - chain: the chain at the daemon's position, if it is known.
    init(
        _ view: HouseView, identity: String, position: Int, newest: LogEntry?, chain: String?
    ) {
        guard view.identity.isExactly(identity) else {
            let isRestored = view.formerIdentity?.isExactly(identity) == true
            self =
                isRestored
                ? Self.loading(view, "the house was restored")
                : .wait(
                    "the house in Redis is another one, of the same name: its log was removed or "
                        + "replaced; \(Self.restoring)")
            return
        }
        guard position <= view.newest else {
            self = .wait(
                "the log in Redis ends at entry \(view.newest), and this daemon has \(position): "
                    + "an older file of Redis was restored; \(Self.restoring)")
            return
        }
        guard view.hasEnd else {
            self = .wait("\(HouseFunctions.otherEnd); \(Self.restoring)")
            return
        }
        guard let known = Self.chain(view, at: position, chain), view.reaches(position) else {
            self =
                view.beginning?.entry ?? -1 >= position
                ? Self.loading(view, "the entries behind \(position) were trimmed")
                : .wait(
                    "Redis has lost entries behind \(position), and no states that replace them; "
                        + Self.restoring)
            return
        }
        let isSame =
            if let chain {
                known.isExactly(chain)
            } else if let newest, let entry = try? view.atPosition?.entry() {
                newest.isSameAction(as: entry)
            } else {
                true
            }
        self =
            isSame
            ? .follow(chain: known)
            : .wait(
                "entry \(position) of the log in Redis is not the one that this daemon has; "
                    + Self.restoring)
    }

    private static func loading(_ view: HouseView, _ reason: String) -> Self {
        view.beginning == nil
            ? .wait("\(reason), and the states of the house are incomplete; \(restoring)")
            : .load(reason)
    }

    /// The chain that the log has at a position; `nil` if it does not tell.
    private static func chain(_ view: HouseView, at position: Int, _ chain: String?) -> String? {
        if let entry = view.atPosition { return entry.chain }
        if let states = view.states, states.entry == position { return states.chain }
        if position == 0 { return HouseEntry.firstChain }
        // Without a known chain, this may be another log that ends here.
        return position == view.newest && chain != nil ? view.chain : nil
    }

    static let restoring =
        "use the verb house restore on the daemon with the newest position"
}

extension LogEntry {
    /// Compares without the members that each daemon sets for itself. One of them is the condition:
    /// it is removed once it was decided.
    fileprivate func isSameAction(as other: LogEntry) -> Bool {
        number == other.number && time == other.time && kind.isExactly(other.kind)
            && id.isExactly(other.id) && body == other.body && key == other.key
    }
}
