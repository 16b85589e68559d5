package import BusdProtocol

/// The rights of users and groups to addresses: the lines of a policy file, with ids for names. The
/// first rule that fits user, address and event decides. If no rule fits, the user may look.
package struct Policy: Sendable {
    package enum Subject: Hashable, Sendable {
        case everybody
        /// A user id.
        case user(Int)
        /// A group id.
        case group(Int)
    }

    package enum Right: Sendable {
        /// It is as if nothing were there.
        case nothing
        case look
        /// To look, to send, and to make view models on demand.
        case send
    }

    package struct Rule: Sendable {
        /// The number of its line in the file, from 1.
        package let line: Int
        package let subject: Subject
        package let right: Right
        package let pattern: Pattern
        /// Names of events: the rule decides the sends of these events only. Empty: it decides
        /// everything.
        package let events: [String]

        package init(
            line: Int, _ subject: Subject, _ right: Right, _ pattern: Pattern, events: [String] = []
        ) {
            self.line = line
            self.subject = subject
            self.right = right
            self.pattern = pattern
            self.events = events
        }
    }

    package let rules: [Rule]
    private let indexes: [Subject: RuleIndex]

    package init(_ rules: [Rule]) {
        var indexes: [Subject: RuleIndex] = [:]
        for (number, rule) in rules.enumerated() {
            indexes[rule.subject, default: RuleIndex()].add(rule, number)
        }
        (self.rules, self.indexes) = (rules, indexes)
    }

    /// The subjects of rules that fit a peer. They decide the rights of its user.
    func subjects(fitting peer: Peer) -> [Subject] {
        let groups = Set(peer.groups.filter { indexes[.group($0)] != nil }).sorted()
        return [.everybody, .user(peer.uid)].filter { indexes[$0] != nil }
            + groups.map { .group($0) }
    }

    /// - Parameter subjects: those of rules.
    func rights(_ subjects: [Subject]) -> Rights {
        Rights(rules, subjects.compactMap { indexes[$0] })
    }

    /// The rights of a peer.
    package func rights(of peer: Peer) -> Rights { rights(subjects(fitting: peer)) }
}
