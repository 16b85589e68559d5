import BusdProtocol

/// The rules of one subject, by the shapes and the texts of their patterns. At most one pattern of
/// each shape matches an address, so a policy of thousands of lines takes a few lookups.
struct RuleIndex: Sendable {
    /// The rules that match an address, by their numbers in the policy.
    struct Match: Sendable {
        /// The first rule that decides everything.
        fileprivate(set) var general: Int?
        /// The rules before it that decide sends of some events, in order.
        fileprivate(set) var named: [Int] = []

        fileprivate mutating func add(_ rule: Policy.Rule, _ number: Int) {
            guard general == nil else { return }
            if rule.events.isEmpty { general = number } else { named.append(number) }
        }

        fileprivate mutating func add(_ other: Match) {
            general = [general, other.general].compactMap(\.self).min()
            named += other.named
        }

        fileprivate mutating func sort() {
            let end = general ?? .max
            named = named.filter { $0 < end }.sorted()
        }
    }

    private var shapes: [Pattern.Shape: [String: Match]] = [:]  // text: patterns are ASCII

    /// Number of lookups for an address.
    var shapeCount: Int { shapes.count }

    /// - Parameter number: of the rule in the policy: higher than those added before.
    mutating func add(_ rule: Policy.Rule, _ number: Int) {
        shapes[rule.pattern.shape, default: [:]][rule.pattern.text, default: Match()]
            .add(rule, number)
    }

    /// The rules of several subjects that match an address.
    static func match(_ indexes: [RuleIndex], _ address: Address) -> Match {
        let segments = address.segments
        var match = Match()
        for index in indexes {
            for (shape, rules) in index.shapes {
                guard let text = shape.text(for: segments), let found = rules[text] else {
                    continue
                }
                match.add(found)
            }
        }
        match.sort()
        return match
    }
}
