import BusdProtocol
import BusdScreens

/// Why no event of a kind can fulfil a condition.
struct ConditionProblem: Error {
    let message: String
    /// Known names that are similar to the wrong one.
    let near: [String]
    /// How much of the condition is right.
    let depth: Int

    init(_ message: String, _ name: String = "", among names: [String] = [], depth: Int) {
        self.message = message
        near = Suggestions.near(name, among: names)
        self.depth = depth
    }
}

extension ValuePath {
    /// The type of the value; nil if it is not described.
    ///
    /// - Parameters:
    ///   - events: those that a kind of view model emits.
    ///   - ofState: whether the event must be a value, which a view that joins gets, too.
    func type(
        among events: [EventDescription], of kind: String, ofState: Bool
    ) throws(ConditionProblem) -> ValueType? {
        guard let found = events.first(where: { $0.name.isExactly(event) }) else {
            let names = events.filter { !ofState || $0.delivery == .latest }.map(\.name)
            throw ConditionProblem(
                "the kind \(kind) emits no event '\(event)'", event, among: names, depth: 0)
        }
        guard !ofState || found.delivery == .latest else {
            let instead = found.edits.map { ": take \($0), which it edits" } ?? ""
            throw ConditionProblem(
                "\(event) is no value, but an event that passes\(instead)", depth: 1)
        }
        var type = ValueType.object(found.fields)
        for (place, step) in fields.enumerated() {
            let before = ([event] + fields[..<place]).joined(separator: ".")
            switch type {
            // No example has a member: the members are not known.
            case .object(let members) where members.isEmpty && place > 0: return nil
            case .object(let members):
                guard let member = members.first(where: { $0.name.isExactly(step) }) else {
                    throw ConditionProblem(
                        "\(before) has no field '\(step)'", step, among: members.map(\.name),
                        depth: place + 1)
                }
                type = member.type
            case .list(let element):
                guard let number = Int(step), number >= 0 else {  // fits: else nil
                    throw ConditionProblem(
                        "\(before) is a list: add the place of an element, such as \(before).0",
                        depth: place + 1)
                }
                // No example has an element: the type is not known.
                guard let element else { return nil }
                type = element
            case .integer, .number, .text, .choice, .boolean, .null:
                throw ConditionProblem(
                    "\(before) is of type \(type.name), and has no field '\(step)'",
                    depth: place + 1)
            }
        }
        return type
    }
}

extension Condition {
    /// - Returns: nil if the condition can hold.
    func problem(
        among events: [EventDescription], of kind: String, ofState: Bool
    ) -> ConditionProblem? {
        do throws(ConditionProblem) {
            guard let type = try path.type(among: events, of: kind, ofState: ofState),
                let comparison
            else { return nil }
            return problem(comparing: type, with: comparison)
        } catch {
            return error
        }
    }

    private func problem(comparing type: ValueType, with comparison: Comparison)
        -> ConditionProblem?
    {
        let name = path.text
        let depth = path.fields.count + 1
        let isOrder = comparison != .equal && comparison != .notEqual
        switch type {
        case .boolean where !["true", "false"].contains(operand):
            return ConditionProblem("\(name) is true or false, not '\(operand)'", depth: depth)
        case .boolean where isOrder:
            return ConditionProblem(
                "\(name) is true or false: compare it with = or !=", depth: depth)
        case .choice(let words) where !words.contains { $0.isExactly(operand) } && !isOrder:
            return ConditionProblem(
                "\(name) is never '\(operand)'", operand, among: words, depth: depth)
        case .integer where Int(operand) == nil,
            .number where Double(operand)?.isFinite != true:
            return ConditionProblem(
                "\(name) is of type \(type.name), not '\(operand)'", depth: depth)
        case .list:
            return ConditionProblem(
                "\(name) is a list: compare an element, such as \(name).0", depth: depth)
        case .object(let members):
            return ConditionProblem(
                "\(name) is an object: compare a field, such as "
                    + "\(name).\(members.first?.name ?? "name")", depth: depth)
        case .boolean, .integer, .number, .text, .choice, .null: return nil
        }
    }
}

/// The events that kinds of view models emit, from answers to `describe`.
struct DescribedKinds {
    private(set) var kinds: [(name: String, events: [EventDescription])] = []

    /// - Parameter answers: each of one kind, or of all.
    init(_ answers: [JSONValue] = []) {
        for answer in answers {
            for kind in answer["kinds"].map({ Array($0.elements) }) ?? [answer] {
                let name = kind["kind"]?.text ?? "?"
                // Several addresses may have one kind.
                guard !kinds.contains(where: { $0.name.isExactly(name) }) else { continue }
                let events = kind.list("viewModelEvents")
                kinds.append((name, events.compactMap(EventDescription.init(described:))))
            }
        }
    }

    var isEmpty: Bool { kinds.allSatisfy(\.events.isEmpty) }

    var names: [String] { kinds.flatMap(\.events).map(\.name) }

    /// Lists, by the names of the events that edit them.
    var edits: [String: EditedList] {
        var edits: [String: EditedList] = [:]
        for event in kinds.flatMap(\.events) {
            guard let edited = event.edits,
                let value = kinds.flatMap(\.events).first(where: { $0.name.isExactly(edited) }),
                let list = value.fields.first(where: { $0.type.name == "list" })
            else { continue }
            edits[event.name] = EditedList(event: edited, list: list.name)
        }
        return edits
    }

    /// The message if no kind can fulfil all conditions; nil if one can.
    func problem(of conditions: [Condition], ofState: Bool) -> String? {
        let problems = kinds.map { kind in
            conditions.lazy.compactMap {
                $0.problem(among: kind.events, of: kind.name, ofState: ofState)
            }.first
        }
        let found = problems.compactMap(\.self)
        guard found.count == problems.count else { return nil }
        guard let best = found.max(by: { $0.depth < $1.depth }) else { return nil }
        guard best.depth == 0, kinds.count > 1 else { return best.message.suggesting(best.near) }
        guard let unknown = conditions.map(\.path.event).first(where: { !names.contains($0) })
        else {
            let events = conditions.map(\.path.event).joined(separator: " and ")
            return "no kind of view model has \(events)"
        }
        return "no view model here emits the event '\(unknown)'"
            .suggesting(Suggestions.near(unknown, among: names))
    }
}
