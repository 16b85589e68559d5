import BusdProtocol

/// A reference model of the operators: a table that is evaluated from the top for each event. A
/// node stands after its inputs, and sends at most one value for an event.
struct ReactiveModel {
    enum Operator {
        case source
        case map
        case filter
        case compactMap
        case scan
        case skipRepeats
        case merge
        case combineLatest
        case withLatest
        case sample
        case signal
        case property
    }

    struct Node {
        let kind: Operator
        let inputs: [Int]
        /// The value of a property.
        var value: Int?
        /// The newest value of each input.
        var newest: [Int?]
        /// The accumulated value, or the last one sent.
        var memory: Int?
    }

    private(set) var nodes: [Node] = []

    /// A `value` makes the node a property.
    mutating func add(_ kind: Operator, _ inputs: [Int] = [], value: Int? = nil) {
        let newest = inputs.map { nodes[$0].value }
        nodes.append(
            Node(
                kind: kind, inputs: inputs, value: value, newest: newest,
                memory: kind == .scan ? 0 : value))
    }

    /// The value that each node sends if a source sends `value`.
    mutating func send(_ value: Int, from source: Int) -> [Int?] {
        var sent: [Int?] = []
        for place in nodes.indices {
            let received = nodes[place].inputs.map { sent[$0] }
            let result = place == source ? value : evaluate(place, received)
            if nodes[place].value != nil, let result { nodes[place].value = result }
            sent.append(result)
        }
        return sent
    }

    private mutating func evaluate(_ place: Int, _ received: [Int?]) -> Int? {
        for (input, value) in received.enumerated() where value != nil {
            nodes[place].newest[input] = value
        }
        guard received.contains(where: { $0 != nil }) else { return nil }
        let newest = nodes[place].newest
        switch nodes[place].kind {
        case .source: return nil
        case .map: return received[0].map(Self.transformed)
        case .filter: return received[0].flatMap { Self.isIncluded($0) ? $0 : nil }
        case .compactMap: return received[0].flatMap(Self.compacted)
        case .scan, .skipRepeats: return remember(place, received[0])
        case .merge, .signal, .property: return received.compactMap { $0 }.first
        case .combineLatest:
            let known = newest.compactMap { $0 }
            return known.count == newest.count ? Self.combined(known) : nil
        case .withLatest, .sample:
            // The second input is the trigger.
            guard let asked = received[1], let known = newest[0] else { return nil }
            return nodes[place].kind == .sample ? known : Self.combined([asked, known])
        }
    }

    private mutating func remember(_ place: Int, _ received: Int?) -> Int? {
        guard let received else { return nil }
        let memory = nodes[place].memory
        if nodes[place].kind == .skipRepeats, memory == received { return nil }
        let next = nodes[place].kind == .scan ? Self.gathered(memory ?? 0, received) : received
        nodes[place].memory = next
        return next
    }

    // The functions of the operators, in the model and in the tested graph.

    static func transformed(_ value: Int) -> Int { value % 5 }
    static func isIncluded(_ value: Int) -> Bool { value % 3 != 0 }
    static func compacted(_ value: Int) -> Int? { value % 2 == 0 ? value / 2 : nil }
    static func gathered(_ sum: Int, _ value: Int) -> Int { (sum * 3 + value) % 1_000 }
    static func combined(_ values: [Int]) -> Int {
        values.reduce(7) { ($0 * 31 + $1) % 10_007 }
    }
}
