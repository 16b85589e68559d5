package import BusdProtocol

/// What a class of users may do under a policy: all users that the same rules fit.
package final class Rights {
    /// All rules of the policy.
    private let rules: [Policy.Rule]
    /// Those that fit the users.
    private let indexes: [RuleIndex]

    /// What a `send` and a walk ask of a view model.
    private struct Verdict {
        /// `Model.number`; 0: of none. A number is never used again.
        var number: UInt32 = 0
        var mayLook = false
        /// Without the events of exceptions.
        var maySend = false
        /// Rules decide sends of some events.
        var hasExceptions = false
    }

    /// By the slot of the view model. Finding the rules takes long, so it is done once.
    @exclusivity(unchecked) private var verdicts: [Verdict] = []

    /// The verdicts on all view models up to this number are known.
    private var decided: UInt32 = 0
    /// The same when the pass through all slots is complete.
    private var nextDecided: UInt32 = 0
    /// The first slot that the pass has not come to.
    private var nextSlot = 0

    init(_ rules: [Policy.Rule], _ indexes: [RuleIndex]) {
        (self.rules, self.indexes) = (rules, indexes)
    }

    /// Number of lookups that decide about a view model.
    var lookups: Int { indexes.reduce(0) { $0 + $1.shapeCount } }

    // MARK: Rules

    /// The rule that decides everything at the address, but the sends of some events; `nil`: the
    /// users may look.
    package func rule(at address: Address) -> Policy.Rule? {
        RuleIndex.match(indexes, address).general.map { rules[$0] }
    }

    /// The rule that decides the sends of an event; `nil`: they are refused.
    ///
    /// - Parameter isNamed: whether this is the name of the event.
    package func rule(
        ofSendsTo address: Address, named isNamed: (String) -> Bool
    ) -> Policy.Rule? {
        let match = RuleIndex.match(indexes, address)
        let named = match.named.first { rules[$0].events.contains(where: isNamed) }
        return (named ?? match.general).map { rules[$0] }
    }

    /// The events whose sends to the address are decided by rules of their own, in order.
    package func namedEvents(at address: Address) -> [String] {
        var names: [String] = []
        for number in RuleIndex.match(indexes, address).named {
            names += rules[number].events.filter { name in !names.contains(where: name.isExactly) }
        }
        return names
    }

    package func mayLook(at address: Address) -> Bool {
        rule(at: address).map { $0.right != .nothing } ?? true
    }

    // MARK: Questions of the door

    /// - Parameter model: the view model at the address; `nil`: none is known there.
    @inline(__always)
    func answer(_ act: Door.Act, _ model: ModelID?, at address: Address) -> Door.Answer {
        guard let model else { return answer(act, at: address) }
        let verdict = verdict(on: model, at: address)
        guard verdict.mayLook else { return .hidden }
        switch act {
        case .find, .browse, .keep: return .allowed
        case .make: return answer(act, at: address)
        case .send:
            let isSimple = verdict.maySend && !verdict.hasExceptions
            return isSimple ? .allowed : answer(act, at: address)
        }
    }

    /// View models without a verdict that a request may come across.
    private static let mostUndecided = 1 << 9

    /// Whether there are verdicts on nearly all view models.
    ///
    /// - Parameter number: of the newest view model.
    func hasDecided(upTo number: UInt32) -> Bool {
        Int(widening: number) - Int(widening: decided) <= Self.mostUndecided
    }

    func noteDecided(upTo number: UInt32) { decided = number }

    /// The slots of the view models to decide about next.
    func nextSlots(of all: Int, most: Int, lastNumber: UInt32) -> Range<Int> {
        if nextSlot == 0 { nextDecided = lastNumber }
        let slots = nextSlot..<min(all, nextSlot + most)
        nextSlot = slots.upperBound
        if nextSlot == all { (decided, nextSlot) = (nextDecided, 0) }
        return slots
    }

    func mayLook(_ model: ModelID, at address: Address) -> Bool {
        verdict(on: model, at: address).mayLook
    }

    @inline(__always)
    private func verdict(on model: ModelID, at address: Address) -> Verdict {
        let slot = model.slot
        if slot < verdicts.count, verdicts[slot].number == model.number { return verdicts[slot] }
        return newVerdict(on: model, at: address)
    }

    private func newVerdict(on model: ModelID, at address: Address) -> Verdict {
        let match = RuleIndex.match(indexes, address)
        let right = match.general.map { rules[$0].right } ?? .look
        let verdict = Verdict(
            number: model.number, mayLook: right != .nothing, maySend: right == .send,
            hasExceptions: !match.named.isEmpty)
        while verdicts.count <= model.slot { verdicts.append(Verdict()) }
        verdicts[model.slot] = verdict
        return verdict
    }

    private func answer(_ act: Door.Act, at address: Address) -> Door.Answer {
        guard mayLook(at: address) else { return .hidden }
        switch act {
        case .find, .browse, .keep: return .allowed
        case .make:
            let rule = rule(at: address)
            return rule?.right == .send ? .allowed : .refused(.makeByPolicy(line: rule?.line))
        case .send(let event):
            let rule = rule(ofSendsTo: address) { event.isNamed($0) }
            return rule?.right == .send ? .allowed : .refused(.sendByPolicy(line: rule?.line))
        }
    }
}
