import BusdBroker
import BusdHosting
import BusdProtocol

/// Finds the lines of a policy that can never act, for `busd policy check`.
struct PolicyReview {
    private let rules: [Policy.Rule]
    private let path: String
    private let events: [SendableEvent]

    init(_ content: PolicyFile.Content, _ path: String, _ events: [SendableEvent]) {
        (rules, self.path, self.events) = (content.policy.rules, path, events)
    }

    /// As `PATH:LINE: …`, in the order of the lines.
    var warnings: [String] {
        rules.indices.compactMap { index in
            problem(of: index).map { "\(path):\(rules[index].line): \($0)".printable }
        }
    }

    private func problem(of index: Int) -> String? {
        let rule = rules[index]
        if let earlier = rules[..<index].first(where: { $0.decidesAll(of: rule) }) {
            return "\(rule.pattern) never acts here: line \(earlier.line) decides it"
        }
        guard let event = rule.events.first(where: { !canBeSent($0, to: rule.pattern) }) else {
            return nil
        }
        return "no view model at \(rule.pattern) has the event \(event)"
    }

    /// Whether a view model that the pattern matches may have the event.
    private func canBeSent(_ name: String, to pattern: Pattern) -> Bool {
        let ofPlaces = events.filter { $0.place?.covers(pattern) == true }
        guard ofPlaces.isEmpty else { return ofPlaces.contains { $0.isNamed(name) } }
        return events.contains { event in
            event.isNamed(name) && event.place.map { pattern.mayMeet($0) } ?? true
        }
    }
}

extension SendableEvent {
    fileprivate func isNamed(_ other: String) -> Bool {
        name.isExactly(other) || formerNames.contains(where: other.isExactly)
    }
}

extension Policy.Rule {
    /// Whether everything that the later rule could decide is decided by this one.
    fileprivate func decidesAll(of later: Policy.Rule) -> Bool {
        guard subject == .everybody || subject == later.subject, pattern.covers(later.pattern)
        else { return false }
        guard !events.isEmpty else { return true }
        return !later.events.isEmpty
            && later.events.allSatisfy { name in events.contains(where: name.isExactly) }
    }
}

extension Pattern {
    /// The segments without a last `**`, and whether there is one.
    private var parts: (segments: [Substring], isOpen: Bool) {
        var segments = text.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
        let isOpen = segments.last.map { String($0).isExactly("**") } ?? false
        if isOpen { segments.removeLast() }
        return (segments, isOpen)
    }

    /// Whether this pattern matches each address that the other one matches.
    func covers(_ other: Pattern) -> Bool {
        let (own, others) = (parts, other.parts)
        guard own.segments.count <= others.segments.count,
            own.isOpen || !others.isOpen && own.segments.count == others.segments.count
        else { return false }
        return zip(own.segments, others.segments).allSatisfy {
            Self.isStar($0) || Self.same($0, $1)
        }
    }

    /// Whether both patterns match one address, perhaps.
    func mayMeet(_ other: Pattern) -> Bool {
        let (own, others) = (parts, other.parts)
        let (most, least) = (
            max(own.segments.count, others.segments.count),
            min(own.segments.count, others.segments.count)
        )
        let isLongEnough =
            most == least || (own.segments.count == least ? own.isOpen : others.isOpen)
        return isLongEnough
            && zip(own.segments, others.segments).allSatisfy {
                Self.isStar($0) || Self.isStar($1) || Self.same($0, $1)
            }
    }

    private static func isStar(_ segment: Substring) -> Bool { same(segment, "*") }

    private static func same(_ a: Substring, _ b: Substring) -> Bool {
        a.utf8.elementsEqual(b.utf8)
    }
}
