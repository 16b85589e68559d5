import BusdEventLoop
import BusdProtocol
import TestSupport
import Testing

@testable import BusdRedisLog

/// Writers on three daemons of a house, while daemons and Redis are killed or Redis is suspended.
@Suite struct HouseKillTests {
    @Test func `All daemons of a house have each acknowledged text exactly once`() throws {
        let seed = testSetting("BUSD_TORTURE_SEED") ?? Int.random(in: 1...99_999)
        print("house: BUSD_TORTURE_SEED=\(seed)")
        let run = try HouseKillRun(SeededGenerator(seed: UInt64(clamping: seed)))
        let rounds = testSetting("BUSD_TORTURE") ?? 3
        for _ in 1...rounds { try run.round() }
        try run.settle()
        print("house: \(rounds) rounds, \(run.acknowledged.count) acknowledged")
        #expect(run.acknowledged.count > rounds)
    }
}

final class HouseKillRun {
    /// Adds texts one at a time. Each has a key, and is repeated until it is acknowledged.
    private struct Writer {
        let name: String
        var count = 0
        var isIdle = true
        var text: String { "\(name)-\(count)" }
    }

    private var random: SeededGenerator
    private let fixture: HouseFixture
    private var writers: [Writer] = (0..<12).map { Writer(name: "w\($0)") }
    private(set) var acknowledged: [String] = []

    init(_ random: SeededGenerator) throws {
        self.random = random
        fixture = try HouseFixture(members: 3, isHasty: true)
        fixture.members[0].create("one")
        try fixture.settle()
        _ = fixture.members[0].takeOutcomes()
    }

    func round() throws {
        try write(for: random.number(1...200))
        switch random.number(0...9) {
        case 0...2:
            fixture.server.kill()
            try write(for: random.number(0...100))
            try fixture.server.start()
        case 3:
            fixture.server.suspend()
            try write(for: random.number(0...1_500))
            fixture.server.resume()
        default:
            let place = random.number(0...2)
            fixture.restartMember(place, losing: random.number(0...100))
            // Requests of the killed daemon have no answer.
            for writer in writers.indices where writer % 3 == place {
                writers[writer].isIdle = true
            }
        }
    }

    private func write(for milliseconds: Int) throws {
        let end = fixture.loop.now() + Int64(milliseconds) * 1_000
        try fixture.turn {
            for place in writers.indices { act(place) }
            return fixture.loop.now() >= end
        }
    }

    private func act(_ place: Int) {
        let member = fixture.members[place % 3]
        guard writers[place].isIdle else { return }
        writers[place].isIdle = false
        let text = writers[place].text
        member.add(text, key: text) { [weak self] outcome in self?.ended(place, text, outcome) }
    }

    private func ended(_ place: Int, _ text: String, _ outcome: SendOutcome) {
        guard writers[place].text == text else { return }
        writers[place].isIdle = true
        switch outcome {
        case .applied, .duplicate:
            acknowledged.append(text)
            writers[place].count += 1
        case .refused, .uncertain: break
        case .noEffect, .stale, .unreadable: Issue.record("\(text): \(outcome)")
        }
    }

    func settle() throws {
        let open = Set(writers.map(\.text))
        try fixture.turn {
            for place in writers.indices where open.contains(writers[place].text) { act(place) }
            return open.isSubset(of: acknowledged)
        }
        try fixture.settle()
        let first = fixture.members[0]
        let texts = first.rolls.ids.first.flatMap { first.rolls[$0]?.texts } ?? []
        #expect(texts.sorted() == acknowledged.sorted())
        for member in fixture.members {
            #expect(member.all == first.all)
            #expect(
                member.reports.allSatisfy {
                    $0.hasPrefix("the link to Redis is lost: ")
                        || $0 == "the house is followed again"
                }, "\(member.reports)")
        }
    }
}
