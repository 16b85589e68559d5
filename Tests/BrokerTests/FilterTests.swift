import BusdProtocol
import Testing

@testable import BusdBroker

@Suite struct `A filter of events` {
    private let total = Account()
    private let numbers: [ExactText: Int] = ["counted": 0, "said": 1, "moved": 2, "ended": 3]

    private func wanted(_ filter: Filter) -> [Int] { (0...5).filter(filter.wants) }

    @Test func `wants what it names, and knows only what there is`() {
        let filter = Filter(["said", "ended", "unheard"], of: numbers, total)
        #expect(filter.names == ["said", "ended"])
        #expect(wanted(filter) == [1, 3])
    }

    @Test func `may want nothing`() {
        let filter = Filter(["unheard"], of: numbers, total)
        #expect(filter.names.isEmpty)
        #expect(wanted(filter).isEmpty)
    }

    @Test func `of two wants what either wants`() {
        let filters = [["counted"], ["said", "moved"]].map { Filter($0, of: numbers, total) }
        for (one, other) in [(0, 1), (1, 0)] {
            let both = Filter(filters[one], filters[other])
            #expect(both.names == ["counted", "said", "moved"])
            #expect(wanted(both) == [0, 1, 2])
        }
    }

    @Test func `gives back what it takes`() {
        var filter: Filter? = Filter(["said"], of: numbers, total)
        #expect(total.bytes == filter?.bytes)
        filter = nil
        #expect(total.bytes == 0)
    }
}
