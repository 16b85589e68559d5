import BusdProtocol

/// An entry of the stream in Redis.
struct HouseEntry {
    /// The chain of a new house.
    static let firstChain = "0000000000000000"

    let number: Int
    let time: Instant
    /// The daemon that has appended the entry, and the number of its call.
    let origin: String
    let call: Int
    /// A hash over the chain of the entry before and this entry: 16 hexadecimal digits.
    let chain: String
    let form: [UInt8]

    /// `nil` if the value is not an entry of a house.
    init?(_ value: RedisValue) {
        guard let number = value[0].streamNumber, case let fields = value[1],
            let time = fields["t"].number, let call = fields["s"].number,
            let origin = fields["o"].string, let chain = fields["c"].string,
            let form = fields["e"].bytes
        else { return nil }
        (self.number, self.origin, self.call) = (number, origin, call)
        self.time = Instant(microseconds: Int64(widening: time))
        (self.chain, self.form) = (chain, form)
    }

    /// Whether Redis has put the entry after the entry with the chain `before`.
    func follows(_ before: String) -> Bool {
        let text = Array("\(before)\(number) \(time.microseconds) ".utf8) + form
        let digits = SHA1.hash(text).prefix(8).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return chain.utf8.elementsEqual(digits.joined().utf8)
    }

    func entry() throws(WireError) -> LogEntry {
        try LogEntry(number: number, time: time, sharedForm: form)
    }
}

/// A house in Redis, and the entry at the position of a daemon.
struct HouseView {
    let identity: String
    /// The identity before a restore.
    let formerIdentity: String?
    let newest: Int
    let time: Instant
    /// The entry at the daemon's position, if the stream has it.
    let atPosition: HouseEntry?
    /// The number of the oldest entry of the stream.
    let oldest: Int?
    /// The key of the current states, the number of the entry that they are as of, and its chain.
    let states: (key: String, statesEntry: Int, chain: String)?
    /// The chain of the newest entry.
    let chain: String

    /// `nil` if there is no such house.
    init?(_ value: RedisValue) {
        let head = value[0]
        guard let identity = head[0].string, let newest = head[1].number,
            let time = head[2].number, let chain = head[3].string
        else { return nil }
        (self.identity, self.newest, self.chain) = (identity, newest, chain)
        formerIdentity = head[7].string
        self.time = Instant(microseconds: Int64(widening: time))
        atPosition = HouseEntry(value[1])
        oldest = value[2].streamNumber
        states =
            if let key = head[4].string, let statesEntry = head[5].number,
                let chain = head[6].string
            {
                (key, statesEntry, chain)
            } else {
                nil
            }
    }
}

/// How a daemon continues after a look at the house.
enum HouseNextStep {
    /// Follow the log. The chain is that of the entry at the daemon's position.
    case follow(chain: String)
    /// Load the states: the house was restored, or entries after the position were trimmed.
    case load
    /// Stop: this is not the log that the daemon has followed.
    case stop(String)

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
                ? .load
                : .stop(
                    "the house in Redis is another one, of the same name: its log was removed or "
                        + "replaced")
            return
        }
        guard position <= view.newest else {
            self = .stop(
                "the log in Redis ends at entry \(view.newest), and this daemon has \(position): "
                    + "an older file of Redis was restored")
            return
        }
        let known: String? =
            if let entry = view.atPosition {
                entry.chain
            } else if let states = view.states, states.statesEntry == position {
                states.chain
            } else {
                position == 0 ? HouseEntry.firstChain : nil
            }
        let next = view.oldest ?? view.newest + 1
        guard let known, next <= position + 1 || view.atPosition != nil else {
            self = .load
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
            : .stop("entry \(position) of the log in Redis is not the one that this daemon has")
    }
}

extension LogEntry {
    /// Compares without the members that each daemon sets for itself. One of them is the condition:
    /// it is removed once it was decided.
    fileprivate func isSameAction(as other: LogEntry) -> Bool {
        number == other.number && time == other.time && kind.isExactly(other.kind)
            && id.isExactly(other.id) && body == other.body && key == other.key
    }
}

extension RedisValue {
    /// The number in the id of an entry: 17 in `17-0`.
    var streamNumber: Int? {
        guard let parts = bytes?.split(separator: UInt8(ascii: "-")), parts.count == 2,
            parts[1].elementsEqual("0".utf8)
        else { return nil }
        return Int(peer: String(decoding: parts[0], as: UTF8.self))
    }
}
