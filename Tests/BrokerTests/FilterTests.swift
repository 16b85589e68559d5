import BusdProtocol
import Testing

@testable import BusdBroker

@Suite struct `A filter of events` {
    private let total = Account()
    private let numbers: [ExactText: Int] = ["counted": 0, "said": 1, "moved": 2, "ended": 3]

    private func wanted(_ filter: Filter) -> [Int] { (0...5).filter(filter.wants) }

    @Test func `A filter wants the events that it names, and ignores unknown names`() {
        let filter = Filter(["said", "ended", "unheard"], of: numbers, total)
        #expect(filter.names == ["said", "ended"])
        #expect(wanted(filter) == [1, 3])
    }

    @Test func `A filter of unknown names wants nothing`() {
        let filter = Filter(["unheard"], of: numbers, total)
        #expect(filter.names.isEmpty)
        #expect(wanted(filter).isEmpty)
    }

    @Test func `The union of two filters wants the events of both`() {
        let filters = [["counted"], ["said", "moved"]].map { Filter($0, of: numbers, total) }
        for (one, other) in [(0, 1), (1, 0)] {
            let both = Filter(filters[one], filters[other])
            #expect(both.names == ["counted", "said", "moved"])
            #expect(wanted(both) == [0, 1, 2])
        }
    }

    @Test func `A released filter gives back its memory`() {
        var filter: Filter? = Filter(["said"], of: numbers, total)
        #expect(total.bytes == filter?.bytes)
        filter = nil
        #expect(total.bytes == 0)
    }
}
