import BusdProtocol
import TestSupport
import Testing

@testable import BusdBroker
@testable import BusdTestKit

@Suite struct `An index of patterns` {
    /// The events that a connection wants from a view model; without names: all events.
    private struct Wanted: Equatable {
        let slot: ConnectionSlot
        let names: Set<ExactText>?
    }

    private let total = Account()
    private let numbers = EventNumbers()
    private var random = SeededGenerator(seed: 5)

    init() { for name in ["x", "y", "z"] { _ = numbers.add(name) } }

    private func names(_ filter: Filter) -> Set<ExactText> {
        Set(["x", "y", "z"].filter { filter.wants(numbers.add($0)) }.map { ExactText($0) })
    }

    private func wanted(
        _ interests: [(slot: ConnectionSlot, interest: Interest)]
    ) -> [Wanted] {
        interests.map { slot, interest in
            switch interest {
            case .everything: Wanted(slot: slot, names: nil)
            case .only(let filter): Wanted(slot: slot, names: names(filter))
            case .nothing: Wanted(slot: -1, names: nil)
            }
        }
    }

    /// The same, found by examining each subscription.
    private func wanted(
        _ address: Address, _ subscriptions: [[Subscription]]
    ) -> [Wanted] {
        subscriptions.enumerated().compactMap { slot, subscriptions in
            let all = subscriptions.filter {
                $0.pattern.address == nil && $0.pattern.matches(address)
            }
            guard !all.isEmpty else { return nil }
            let names = all.compactMap(\.only).map(names)
            let isAll = names.count < all.count
            return Wanted(slot: slot, names: isAll ? nil : names.reduce([]) { $0.union($1) })
        }
    }

    // MARK: Random patterns

    private mutating func segments(_ count: ClosedRange<Int>) -> [String] {
        (0..<Int.random(in: count, using: &random)).map { _ in
            Bool.random(using: &random) ? "a" : Bool.random(using: &random) ? "b" : "b-1"
        }
    }

    private mutating func address() throws -> Address {
        try #require(Address(segments(1...8).joined(separator: "/")))
    }

    private mutating func pattern() throws -> Pattern {
        var pieces = segments(0...8)
        for place in pieces.indices where Int.random(in: 0..<3, using: &random) == 0 {
            pieces[place] = "*"
        }
        if pieces.isEmpty || pieces.count < 8 && Bool.random(using: &random) { pieces.append("**") }
        return try #require(Pattern(pieces.joined(separator: "/")))
    }

    private mutating func subscription(_ pattern: Pattern) -> Subscription {
        let names = (["x", "y", "z"] as [ExactText]).filter { _ in Bool.random(using: &random) }
        let only = names.count == 3 ? nil : Filter(Set(names), of: numbers, total)
        return Subscription(pattern, as: nil, only: only, since: UTCTime(seconds: 0), total)
    }

    @Test mutating func `The index finds the same connections as a linear search`() throws {
        var index = PatternIndex()
        var truth = [[Subscription]](repeating: [], count: 30)
        var found = 0
        for round in 0..<12_000 {
            let slot = Int.random(in: truth.indices, using: &random)
            let isLeaving = Int.random(in: 0..<60, using: &random) < truth[slot].count
            if isLeaving, let old = truth[slot].randomElement(using: &random)?.pattern {
                truth[slot].removeAll { $0.pattern == old }
                index.remove(old, of: slot)
            } else if case let new = try pattern(), new.address == nil {
                truth[slot].removeAll { $0.pattern == new }
                truth[slot].append(subscription(new))
                truth[slot].last.map { index.insert($0, of: slot) }
            }
            guard round % 4 == 0 else { continue }
            let address = try address()
            let interests = wanted(index.interests(for: address))
            #expect(interests == wanted(address, truth))
            found += interests.count
        }
        #expect(found > 10_000)
        for (slot, subscriptions) in truth.enumerated() {
            for subscription in subscriptions { index.remove(subscription.pattern, of: slot) }
        }
        #expect(index.shapeCount == 0)
        #expect(index.interests(for: try address()).isEmpty)
        truth = []
        #expect(total.bytes == 0)
    }

    // MARK: Patterns

    struct Case: CustomTestStringConvertible {
        let pattern: String
        let yes: [String]
        let no: [String]
        var testDescription: String { pattern }
    }

    @Test(arguments: [
        Case(pattern: "**", yes: ["a", "a/b", "a/b/c/d/e/f/g/h"], no: []),
        Case(pattern: "*", yes: ["a", "b.c"], no: ["a/b", "a/b/c/d/e/f/g/h"]),
        Case(pattern: "*/**", yes: ["a", "a/b", "a/b/c/d/e/f/g/h"], no: []),
        Case(pattern: "a/**", yes: ["a", "a/b", "a/b/c/d/e/f/g/h"], no: ["b", "ab", "b/a"]),
        Case(pattern: "a/*", yes: ["a/b", "a/a"], no: ["a", "a/b/c", "b/a"]),
        Case(pattern: "a/*/**", yes: ["a/b", "a/b/c"], no: ["a", "b/a"]),
        Case(pattern: "*/*/c", yes: ["a/b/c", "c/c/c"], no: ["a/c", "a/b/d", "a/b/c/d"]),
        Case(pattern: "*/b/*/d/*/f/*/h", yes: ["a/b/c/d/e/f/g/h"], no: ["a/b/c/d/e/f/g", "h"]),
        Case(pattern: "*/*/*/*/*/*/*/*", yes: ["a/b/c/d/e/f/g/h"], no: ["a/b/c/d/e/f/g"]),
        Case(
            pattern: "a/b/c/d/e/f/g/**", yes: ["a/b/c/d/e/f/g/h", "a/b/c/d/e/f/g"],
            no: ["a/b/c/d/e/f", "a/b/c/d/e/f/h/g"]),
    ])
    func `A pattern is found for matching addresses until it is removed`(case: Case) throws {
        let pattern = try #require(Pattern(`case`.pattern))
        var index = PatternIndex()
        index.insert(
            Subscription(pattern, as: nil, only: nil, since: UTCTime(seconds: 0), total), of: 3)
        for text in `case`.yes + `case`.no {
            let address = try #require(Address(text))
            let found = wanted(index.interests(for: address))
            let isFound = found == [Wanted(slot: 3, names: nil)]
            #expect(isFound == `case`.yes.contains(text))
            #expect(isFound == pattern.matches(address))
        }
        index.remove(pattern, of: 2)
        #expect(index.shapeCount == 1)
        index.remove(pattern, of: 3)
        index.remove(pattern, of: 3)
        #expect(index.shapeCount == 0)
        for text in `case`.yes {
            #expect(index.interests(for: try #require(Address(text))).isEmpty)
        }
    }

    @Test func `A connection is found once, with its last filter`() throws {
        let pattern = try #require(Pattern("a/*"))
        let address = try #require(Address("a/b"))
        var index = PatternIndex()
        for names: Set<ExactText>? in [["x"], nil, ["y", "z"], []] {
            let only = names.map { Filter($0, of: numbers, total) }
            index.insert(
                Subscription(pattern, as: nil, only: only, since: UTCTime(seconds: 0), total), of: 1
            )
            #expect(wanted(index.interests(for: address)) == [Wanted(slot: 1, names: names)])
        }
        #expect(index.shapeCount == 1)
        index.insert(
            Subscription(.everything, as: nil, only: nil, since: UTCTime(seconds: 0), total), of: 1)
        #expect(wanted(index.interests(for: address)) == [Wanted(slot: 1, names: nil)])
    }

    // MARK: On the bus

    @Test mutating func `The index agrees with the subscriptions of connections`() throws {
        let bus = TestBus.lab("a", "b")
        let addresses = try ["part/a", "part/b", "bench", "x"].map { try #require(Address($0)) }
        let patterns = ["part/a", "part/*", "**", "*/a", "*", "part/**", "bench"]
        var views: [TestConnection] = []
        for _ in 0..<600 {
            guard let view = views.randomElement(using: &random), views.count > 3 else {
                views.append(bus.connect())
                continue
            }
            let pattern = patterns.randomElement(using: &random) ?? "**"
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<3: view.send("subscribe \(pattern)")
            case 3..<6: view.send(#"{"op":"subscribe","to":"\#(pattern)","only":["left"]}"#)
            case 6..<8: view.send("unsubscribe \(pattern)")
            case 8: view.send(#"send bench remove {"part":"b"}"#)
            case 9: view.send(#"send bench add {"part":"b"}"#)
            case 10:
                view.disconnect()
                views.removeAll { $0 === view }
            default: view.endInput()
            }
            for view in views + [view] { _ = view.takeLines() }
            views.removeAll { $0.isClosed }
            for address in addresses {
                let subscriptions = bus.bus.roster.slots.map { bus.bus.roster[$0].subscriptions }
                let found = wanted(bus.bus.roster.interests(for: address))
                #expect(found == wanted(address, subscriptions))
            }
        }
        while let view = views.popLast() { view.disconnect() }
        #expect(bus.bus.roster.patternShapeCount == 0)
    }

    @Test func `An arrival is shown once to each connection with a matching pattern`() {
        let bus = TestBus.lab()
        let views = (0..<4).map { _ in bus.connect() }
        views[0].send("subscribe part/*", #"{"op":"subscribe","to":"**","only":["left"]}"#)
        views[1].send(#"{"op":"subscribe","to":"*/a","only":["left"]}"#)
        views[1].send(#"{"op":"subscribe","to":"part/**","only":["right"]}"#)
        views[2].send(#"{"op":"subscribe","to":"*/a","only":[]}"#)
        views[3].send("subscribe other/*", "subscribe part/*/*", "subscribe *")
        for view in views { _ = view.takeLines() }
        bus.connect().send(#"send bench add {"part":"a"}"#)
        views[0].expect(
            #"{"from":"part/a",…"left"…}"#, #"{"from":"part/a",…"right"…}"#,
            #"{"from":"part/a",…"items"…}"#, #"{"live":"part/a",…}"#)
        views[1].expect(
            #"{"from":"part/a","seq":0,"snapshot":true,"more":true,"event":{"left":{"number":0}}}"#,
            #"{"from":"part/a","seq":0,"snapshot":true,"event":{"right":{"number":0}}}"#,
            #"{"live":"part/a",…}"#)
        views[2].expect(#"{"live":"part/a",…}"#)
        views[3].expect(#"{"from":"bench",…}"#)
    }
}
