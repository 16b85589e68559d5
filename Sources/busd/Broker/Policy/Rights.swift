package import BusdProtocol

/// What a class of users may do under a policy: all users that the same rules fit.
package final class Rights {
    /// The rules that fit the users, in order.
    private let rules: [Policy.Rule]

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

    /// By the slot of the view model. Comparing all rules takes long, so it is done once.
    @exclusivity(unchecked) private var verdicts: [Verdict] = []

    package init(_ rules: [Policy.Rule]) { self.rules = rules }

    // MARK: Rules

    /// The rule that decides everything at the address, but the sends of some events; `nil`: the
    /// users may look.
    package func rule(at address: Address) -> Policy.Rule? {
        rules.first { $0.events.isEmpty && $0.pattern.matches(address) }
    }

    /// The rule that decides the sends of an event; `nil`: they are refused.
    ///
    /// - Parameter isNamed: whether this is the name of the event.
    package func rule(
        ofSendsTo address: Address, named isNamed: (String) -> Bool
    ) -> Policy.Rule? {
        rules.first { rule in
            rule.pattern.matches(address)
                && (rule.events.isEmpty || rule.events.contains(where: isNamed))
        }
    }

    /// The events whose sends to the address are decided by rules of their own, in order.
    package func namedEvents(at address: Address) -> [String] {
        var names: [String] = []
        for rule in rules where rule.pattern.matches(address) {
            guard !rule.events.isEmpty else { break }
            names += rule.events.filter { name in !names.contains(where: name.isExactly) }
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
        let right = rule(at: address)?.right ?? .look
        let hasExceptions = rules.contains { !$0.events.isEmpty && $0.pattern.matches(address) }
        let verdict = Verdict(
            number: model.number, mayLook: right != .nothing, maySend: right == .send,
            hasExceptions: hasExceptions)
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
