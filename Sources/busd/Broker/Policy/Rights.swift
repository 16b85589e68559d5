package import BusdProtocol

/// What a class of users may do under a policy: all users that the same rules fit.
package final class Rights {
    /// The rules that fit the users, in order.
    private let rules: [Policy.Rule]

    /// The rules that decide at an address.
    private struct Verdict {
        let address: Address
        /// Index of the first rule that decides everything there; `nil`: there is none.
        let general: Int?
        /// Indices of the rules before it that decide sends of some events.
        let exceptions: [Int]
    }

    /// The last verdicts. Most questions repeat: a game has six players and a scoreboard. Each
    /// address has one of 256 places.
    @exclusivity(unchecked) private var recent: [Verdict?] = Array(repeating: nil, count: 256)

    package init(_ rules: [Policy.Rule]) { self.rules = rules }

    /// The number of rules.
    var count: Int { rules.count }

    private func verdict(at address: Address) -> Verdict {
        let place = address.text.withBytes { $0.hashOfEnd }
        if let known = recent[place], known.address == address { return known }
        var exceptions: [Int] = []
        var general: Int?
        for (index, rule) in rules.enumerated() where rule.pattern.matches(address) {
            guard !rule.events.isEmpty else {
                general = index
                break
            }
            exceptions.append(index)
        }
        let verdict = Verdict(address: address, general: general, exceptions: exceptions)
        recent[place] = verdict
        return verdict
    }

    /// The rule that decides everything at the address, but the sends of some events; `nil`: the
    /// users may look.
    package func rule(at address: Address) -> Policy.Rule? {
        verdict(at: address).general.map { rules[$0] }
    }

    /// The rule that decides the sends of an event; `nil`: they are refused.
    ///
    /// - Parameter isNamed: whether this is the name of the event.
    package func rule(
        ofSendsTo address: Address, named isNamed: (String) -> Bool
    ) -> Policy.Rule? {
        let verdict = verdict(at: address)
        let exception = verdict.exceptions.first { rules[$0].events.contains(where: isNamed) }
        return (exception ?? verdict.general).map { rules[$0] }
    }

    package func mayLook(at address: Address) -> Bool {
        verdict(at: address).general.map { rules[$0].right != .nothing } ?? true
    }

    func answer(_ act: Door.Act, at address: Address) -> Door.Answer {
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
