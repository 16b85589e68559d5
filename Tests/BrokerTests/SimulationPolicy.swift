import BusdBroker
import BusdProtocol
import BusdTestKit

/// A policy of the simulation, with a reading of its lines that is independent of the bus.
struct SimulatedPolicy {
    /// `user`: `nil` is everybody.
    private let lines: [(user: Int?, right: Policy.Right, pattern: Pattern)]

    static let users = [TestBus.owner, 7, 8]

    /// Everybody may do everything.
    init() { lines = [] }

    init(using random: inout some RandomNumberGenerator) {
        let patterns = [
            "part/a", "part/b", "part/*", "tally/**", "tally/b", "tally/*", "bench", "echo/*",
            "bus/**", "**",
        ]
        var lines: [(user: Int?, right: Policy.Right, pattern: Pattern)] = []
        for _ in 0..<Int.random(in: 0..<5, using: &random) {
            let user = [nil, 7, 8].randomElement(using: &random) ?? nil
            let right = [Policy.Right.nothing, .nothing, .look, .send].randomElement(using: &random)
            let pattern = patterns.randomElement(using: &random).flatMap { Pattern($0) }
            if let right, let pattern { lines.append((user, right, pattern)) }
        }
        self.lines = lines + [(nil, .send, .everything)]
    }

    var policy: Policy {
        Policy(
            lines.enumerated().map { index, line in
                Policy.Rule(
                    line: index + 1, line.user.map { .user($0) } ?? .everybody, line.right,
                    line.pattern)
            })
    }

    private func right(_ user: Int, _ address: String) -> Policy.Right {
        guard user != TestBus.owner, let address = Address(address) else { return .send }
        let line = lines.first { ($0.user ?? user) == user && $0.pattern.matches(address) }
        return lines.isEmpty ? .send : line?.right ?? .look
    }

    func mayLook(_ user: Int, _ address: String) -> Bool { right(user, address) != .nothing }
    func maySend(_ user: Int, _ address: String) -> Bool { right(user, address) == .send }
}

extension SimulatedView {
    /// The policies that may have decided about a request: those since it was sent.
    func policies(for request: SimulatedRequest) -> ArraySlice<SimulatedPolicy> {
        truth.policies[request.policy...]
    }

    /// Whether the client could look at the address at some time since it connected.
    func couldLook(_ address: String) -> Bool {
        truth.policies[firstPolicy...].contains { $0.mayLook(user, address) }
    }

    func mayLook(_ address: String) -> Bool {
        truth.policies.last?.mayLook(user, address) ?? true
    }

    /// The last `seq` that the client may know of a view model.
    func lastVisible(_ life: SimulatedTruth.Life) -> Int {
        let isVisible = (life.lastPolicy ?? truth.policies.last)?.mayLook(user, life.address)
        guard isVisible == false else { return life.seq }
        return lossesOfLife[life.mark]?.last?.upperBound ?? life.first - 1
    }

    /// A new policy is about to come into force, for this client at some time before
    /// `noteEnforced`.
    func noteLosses(under policy: SimulatedPolicy) {
        livesBefore = Set(truth.lives.keys)
        for (address, life) in truth.alive
        where mayLook(address) && !policy.mayLook(user, address) {
            noteLoss(of: life, at: life.seq)
        }
    }

    /// View models that have arrived meanwhile may have been shown.
    func noteLossesOfArrivals() {
        guard let livesBefore, let before = truth.policies.dropLast().last else { return }
        for life in truth.lives.values
        where !livesBefore.contains(life.mark) && lossesOfLife[life.mark] == nil
            && before.mayLook(user, life.address) && !mayLook(life.address)
        {
            noteLoss(of: life, at: life.first)
        }
    }

    private func noteLoss(of life: SimulatedTruth.Life, at seq: Int) {
        losses.insert(life.address)
        lossesOfLife[life.mark, default: []].append(seq...Int.max)
    }

    /// The policy is in force for this client.
    func noteEnforced() {
        noteLossesOfArrivals()
        livesBefore = nil
        for life in truth.lives.values {
            guard let loss = lossesOfLife[life.mark]?.popLast() else { continue }
            let last = loss.upperBound == .max ? max(loss.lowerBound, life.seq) : loss.upperBound
            lossesOfLife[life.mark]?.append(loss.lowerBound...last)
        }
    }

    /// A client never reads the address of a view model that it could never look at.
    func checkSecrets(_ text: String) {
        guard truth.policies.count > 1, !text.contains(#""from":"bus/views""#) else { return }
        for life in truth.lives.values where !couldLook(life.address) {
            // A view model may have the name of a kind as its address.
            let places = text.ranges(of: "\"\(life.address)\"").count
            let kinds = text.ranges(of: "\"kind\":\"\(life.address)\"").count
            if places > kinds { fail("\(life.address) is hidden", text) }
        }
    }
}
