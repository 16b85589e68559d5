import TestSupport
import Testing

@testable import BusdBroker

@Suite struct `What waits of each view model` {
    /// The same, told by lists.
    private struct Mirror {
        enum Change: CaseIterable {
            case event
            case end
            case silent
        }

        var landed = 0
        var changes: [(model: ModelID, change: Change, flight: Int)] = []
        var keys: [ModelID: [String]] = [:]

        func flight(of model: ModelID) -> Int {
            changes.reduce(0) { $1.model == model ? max($0, $1.flight) : $0 }
        }

        func count(of model: ModelID, _ change: Change) -> Int {
            changes.count { $0.model == model && $0.change == change }
        }

        var models: Set<ModelID> {
            Set(changes.map(\.model)).union(keys.filter { !$0.value.isEmpty }.keys)
        }
    }

    private static let models = (0..<90).map { ModelID(slot: $0 * 8, generation: UInt32($0)) }

    private func note(
        _ change: Mirror.Change, of model: ModelID, _ flight: Int, _ table: inout HeldModels
    ) {
        switch change {
        case .event: table.noteEvent(of: model, flight)
        case .end: table.noteEnd(of: model, flight)
        case .silent: table.noteChange(of: model, flight)
        }
    }

    private func land(_ table: inout HeldModels, _ mirror: inout Mirror) {
        table.land()
        mirror.landed += 1
        for (model, change, flight) in mirror.changes where flight == mirror.landed {
            switch change {
            case .event: table.forgetEvent(of: model)
            case .end: table.forgetEnd(of: model)
            case .silent: table.forgetChange(of: model)
            }
        }
        mirror.changes.removeAll { $0.flight == mirror.landed }
        #expect(table.landed == mirror.landed)
    }

    @Test(arguments: 0..<20) func `is what lists say`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (table, mirror) = (HeldModels(), Mirror())
        for step in 0..<1_500 {
            // At times all, at times a few of them.
            let few = Self.models.prefix(step / 300 % 2 == 0 ? 90 : 3)
            guard let model = few.randomElement(using: &random),
                let change = Mirror.Change.allCases.randomElement(using: &random)
            else { return }
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                guard mirror.count(of: model, .end) == 0 else { break }
                let flight = mirror.landed + Int.random(in: 1...5, using: &random)
                // An end comes last.
                guard change != .end || flight >= mirror.flight(of: model) else { break }
                note(change, of: model, flight, &table)
                mirror.changes.append((model, change, flight))
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
            case 5 where step % 4 == 0: land(&table, &mirror)
            default: break
            }
            expect(table, mirror, of: model)
        }
        #expect(Set(table.all.map(\.model)) == mirror.models)
        #expect(table.all.count == mirror.models.count)
        for model in Self.models { expect(table, mirror, of: model) }
    }

    private func expect(_ table: HeldModels, _ mirror: Mirror, of model: ModelID) {
        let entry = table[model]
        #expect(entry?.events ?? 0 == mirror.count(of: model, .event))
        #expect(entry?.isEnding ?? false == (mirror.count(of: model, .end) > 0))
        // What has landed is of the past, whatever its number was.
        #expect(
            max(table.flight(of: model), table.landed)
                == max(mirror.flight(of: model), mirror.landed))
        let keys = mirror.keys[model] ?? []
        #expect(entry?.hasKeys ?? false == !keys.isEmpty)
        #expect(keys.allSatisfy { table.holds($0, of: model) })
    }

    @Test func `is nothing of one that has the slot of another`() {
        let (first, second) = (
            ModelID(slot: 5, generation: 1), ModelID(slot: 5, generation: 2)
        )
        var table = HeldModels()
        table.noteEvent(of: first, 1)
        table.note("k", of: first)
        #expect(table[second] == nil)
        #expect(table.flight(of: second) == 0)
        table.land()
        table.forgetEvent(of: first)
        table.forget("k", of: first)
        #expect(table.all.isEmpty)
        table.noteEvent(of: second, 2)
        #expect(table[first] == nil)
        #expect(table[second]?.events == 1)
    }

    @Test func `has values kept for its last flight alone`() {
        let model = ModelID(slot: 3, generation: 1)
        var table = HeldModels()
        table.setPresent(7, of: model)
        #expect(table.present(of: model) == nil)
        table.noteEvent(of: model, 2)
        table.setPresent(7, of: model)
        table.noteEvent(of: model, 2)
        table.noteChange(of: model, 1)
        #expect(table.present(of: model) == 7)
        table.noteChange(of: model, 3)
        #expect(table.present(of: model) == nil)
        #expect(table.flight(of: model) == 3)
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
        let table = HeldModels()
        #expect(table[ModelID(slot: 0, generation: 0)] == nil)
        #expect(table.flight(of: ModelID(slot: 0, generation: 0)) == 0)
    }
}
