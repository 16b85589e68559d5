import BusdBroker
import BusdProtocol

@testable import BusdTestKit

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

    /// A new policy is about to come into force, for this client in one of the next turns.
    func noteLosses(under policy: SimulatedPolicy) {
        livesBefore = Set(truth.lives.keys)
        for (address, life) in truth.alive
        where mayLook(address) && !policy.mayLook(user, address) {
            noteLoss(of: life)
        }
    }

    private func noteLoss(of life: SimulatedTruth.Life) {
        losses.insert(life.address)
        lossesOfLife[life.mark, default: []].append(life.seq...Int.max)
    }

    /// A turn has ended. The client knows all events before the turn in which it loses a view
    /// model, and none after it.
    func turnEnded(_ bus: inout Bus) {
        guard let livesBefore, let slot = connection.slot else { return }
        noteLossesOfArrivals(since: livesBefore)
        for life in truth.lives.values {
            guard let loss = lossesOfLife[life.mark]?.last, loss.upperBound == .max,
                let address = Address(life.address)
            else { continue }
            let isLost = !bus.isYetToHide(address, slot)
            lossesOfLife[life.mark]?.removeLast()
            lossesOfLife[life.mark]?.append(
                isLost ? loss.lowerBound...life.seq : life.seq...Int.max)
        }
        hasNewRights = !bus.isYetToEnforce(slot)
        if !bus.isEnforcing { (self.livesBefore, hasNewRights) = (nil, false) }
    }

    /// View models that have arrived in this turn may have been shown, if the client had its old
    /// rights before it.
    private func noteLossesOfArrivals(since known: Set<String>) {
        guard !hasNewRights, let before = truth.policies.dropLast().last else { return }
        for life in truth.lives.values
        where !known.contains(life.mark) && lossesOfLife[life.mark] == nil
            && before.mayLook(user, life.address) && !mayLook(life.address)
        {
            noteLoss(of: life)
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
