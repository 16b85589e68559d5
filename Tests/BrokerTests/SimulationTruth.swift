import BusdTestKit

/// All events of all view models in the order that all connections see, recorded by a client that
/// is never slow.
final class SimulatedTruth {
    struct Event {
        let name: String
        let json: String
        let hasMore: Bool
        let cause: Int?
        /// Its place in the order of all events.
        let order: Int
    }

    /// A view model from its arrival to its end.
    final class Life {
        let address: String
        let mark: String
        /// The `seq` at which the witness joined: 0 if the view model arrived after the witness.
        let first: Int
        fileprivate(set) var events: [Event] = []
        /// The values before the first event, and then after each event.
        fileprivate(set) var values: [SimulatedValues]
        fileprivate(set) var isOver = false
        /// The policy that was in force when it ended; `nil`: it is here.
        fileprivate(set) var lastPolicy: SimulatedPolicy?

        init(_ address: String, mark: String, first: Int, _ values: SimulatedValues) {
            self.address = address
            self.mark = mark
            self.first = first
            self.values = [values]
        }

        var seq: Int { first + events.count }

        func event(_ seq: Int) -> Event? {
            events.indices.contains(seq - first - 1) ? events[seq - first - 1] : nil
        }

        func values(at seq: Int) -> SimulatedValues? {
            values.indices.contains(seq - first) ? values[seq - first] : nil
        }

        /// Whether a view with this filter gets none of the events after `seq`, up to `end`.
        func isSilent(after seq: Int, upTo end: Int, _ only: Set<String>?) -> Bool {
            guard seq < end else { return true }
            guard let only else { return false }
            return (seq + 1...end).allSatisfy { event($0).map { !only.contains($0.name) } ?? true }
        }

        /// Whether the update continues after `seq` for a view with this filter.
        func saysMore(after seq: Int, _ only: Set<String>?) -> Bool {
            var at = seq
            while let event = event(at), event.hasMore, let next = self.event(at + 1) {
                if only?.contains(next.name) ?? true { return true }
                at += 1
            }
            return false
        }
    }

    private let witness: TestConnection
    let reader = SimulatedReader()
    private var snapshot = SimulatedValues()
    private var lastOrder = 0
    private(set) var lives: [String: Life] = [:]
    private(set) var alive: [String: Life] = [:]
    /// The events that each request caused, in order, by the `id` of the request.
    private(set) var caused: [Int: [(life: Life, seq: Int)]] = [:]
    /// The number of sends with an effect, according to their answers, and the number of sends
    /// whose clients have closed before an answer; both by the address of the thing.
    var done: [String: Int] = [:]
    var unanswered: [String: Int] = [:]
    /// All policies so far. The last one is in force.
    var policies = [SimulatedPolicy()]
    var problem: String?

    init(_ witness: TestConnection) {
        self.witness = witness
        witness.send("subscribe **")
    }

    func read() {
        for line in witness.takeLines() { read(line) }
    }

    /// Reads up to the goodbye, which each client gets.
    func readGoodbye() {
        let lines = witness.takeLines()
        for line in lines.dropLast() { read(line) }
        if lines.last != #"{"bye":{"code":"closing","message":"the daemon is stopping"}}"# {
            fail("no goodbye", lines.last ?? "")
        }
    }

    private func read(_ line: String) {
        switch reader.read(line) {
        case .said(let said) where said.isSnapshot: snapshot.apply(said.name, said.json)
        case .said(let said): hear(said, line)
        case .live(let address, let mark, let seq, _):
            let life = Life(address, mark: mark, first: seq, snapshot)
            if lives.updateValue(life, forKey: mark) != nil { fail("a mark comes twice", line) }
            if alive.updateValue(life, forKey: address) != nil { fail("it is there already", line) }
            snapshot = SimulatedValues()
        case .gone(let address):
            guard let life = alive.removeValue(forKey: address) else {
                return fail("nothing is there", line)
            }
            life.isOver = true
            life.lastPolicy = policies.last
        case .livePattern, .ok: break
        default: fail("the witness is not slow", line)
        }
    }

    private func hear(_ said: SimulatedLine.Said, _ line: String) {
        guard let life = alive[said.from], said.seq == life.seq + 1 else {
            return fail("there is a hole", line)
        }
        lastOrder += 1
        life.events.append(
            Event(
                name: said.name, json: said.json, hasMore: said.hasMore, cause: said.cause,
                order: lastOrder))
        var values = life.values.last ?? SimulatedValues()
        values.apply(said.name, said.json)
        life.values.append(values)
        if let cause = said.cause { caused[cause, default: []].append((life, said.seq)) }
    }

    /// The address of the thing that the view model is a part of.
    static func thing(at address: String) -> String {
        address.hasPrefix("tally/") ? "tally" : address
    }

    private func fail(_ reason: String, _ line: String) {
        if problem == nil { problem = "the witness: \(reason): \(line)" }
    }
}
