import TestSupport
import Testing

@testable import Broker

@Suite struct `What waits of each view model` {
    /// The same, told by dictionaries.
    private struct Mirror {
        var events: [ModelID: Int] = [:]
        var keys: [ModelID: [String]] = [:]
        var grounded: [ModelID] = []

        mutating func note(_ model: ModelID, isGrounded: Bool) {
            events[model, default: 0] += 1
            if isGrounded, !grounded.contains(model) { grounded.append(model) }
        }
    }

    private static let models = (0..<90).map { ModelID(slot: $0 * 8, generation: UInt32($0)) }

    @Test(arguments: 0..<20) func `is what dictionaries say`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (table, mirror) = (HeldModels(), Mirror())
        for step in 0..<2_000 {
            // At times all, at times a few of them.
            let few = Self.models.prefix(step / 400 % 2 == 0 ? 90 : 3)
            guard let model = few.randomElement(using: &random) else { return }
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let isGrounded = step % 3 > 0
                table.note(model, isGrounded: isGrounded)
                mirror.note(model, isGrounded: isGrounded)
            case 2 where mirror.events[model, default: 0] > 0:
                table.forget(model)
                mirror.events[model, default: 0] -= 1
            case 3 where mirror.keys[model, default: []].count < 4:
                table.note("k-\(step)", of: model)
                mirror.keys[model, default: []].append("k-\(step)")
            case 4:
                guard let key = mirror.keys[model, default: []].randomElement(using: &random)
                else { break }
                #expect(table.holds(key, of: model))
                table.forget(key, of: model)
                mirror.keys[model]?.removeAll { $0 == key }
                #expect(!table.holds(key, of: model))
            case 5 where step % 10 == 0:
                #expect(table.takeGrounded() == mirror.grounded)
                mirror.grounded = []
            default: break
            }
            #expect(table[model]?.events ?? 0 == mirror.events[model] ?? 0)
            #expect(table[model]?.hasKeys ?? false == !(mirror.keys[model] ?? []).isEmpty)
        }
        let waiting = Self.models.count {
            mirror.events[$0, default: 0] > 0 || !mirror.keys[$0, default: []].isEmpty
                || mirror.grounded.contains($0)
        }
        #expect(table.all.count == waiting)
        for (model, events) in mirror.events { #expect(table[model]?.events ?? 0 == events) }
        for (model, keys) in mirror.keys {
            #expect(keys.allSatisfy { table.holds($0, of: model) })
        }
    }

    @Test func `is nothing of one that has the slot of another`() {
        let (first, second) = (
            ModelID(slot: 5, generation: 1), ModelID(slot: 5, generation: 2)
        )
        var table = HeldModels()
        table.note(first, isGrounded: true)
        table.note("k", of: first)
        #expect(table[second] == nil)
        #expect(table.takeGrounded() == [first])
        table.forget(first)
        table.forget("k", of: first)
        #expect(table.all.isEmpty)
        table.note(second, isGrounded: true)
        #expect(table[first] == nil)
        #expect(table[second]?.events == 1)
    }

    @Test func `knows keys apart by their code points`() {
        let model = ModelID(slot: 3, generation: 1)
        var table = HeldModels()
        // The same letter, in one code point and in two.
        for (first, second) in [("\u{E9}", "e\u{301}"), ("e\u{301}", "\u{E9}")] {
            table.note(first, of: model)
            #expect(!table.holds(second, of: model))
            table.note(second, of: model)
            #expect(table.holds(second, of: model))
            table.forget(second, of: model)
            #expect(table.holds(first, of: model))
            table.forget(first, of: model)
        }
    }

    @Test func `is nothing at the beginning`() {
        var table = HeldModels()
        #expect(table[ModelID(slot: 0, generation: 0)] == nil)
        #expect(table.takeGrounded().isEmpty)
    }
}
