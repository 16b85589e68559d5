import BusdProtocol
import Testing

@testable import BusdBroker

@Suite struct `A filter of events` {
    private let total = Account()
    private let numbers = EventNumbers()
    private let names = ["counted", "said", "moved", "ended"]

    init() { for name in names { _ = numbers.add(name) } }

    private func wanted(_ filter: Filter) -> [String] {
        names.filter { filter.wants(numbers.add($0)) }
    }

    @Test func `A filter wants the events that it names, and ignores unknown names`() {
        let filter = Filter(["said", "ended", "unheard"], of: numbers, total)
        #expect(wanted(filter) == ["said", "ended"])
    }

    @Test func `A filter of unknown names wants nothing`() {
        let filter = Filter(["unheard"], of: numbers, total)
        #expect(wanted(filter).isEmpty)
    }

    @Test func `The union of two filters wants the events of both`() {
        let filters = [["counted"], ["said", "moved"]].map { Filter($0, of: numbers, total) }
        for (one, other) in [(0, 1), (1, 0)] {
            let both = Filter(filters[one], filters[other])
            #expect(wanted(both) == ["counted", "said", "moved"])
        }
    }

    @Test func `A filter is covered by one that wants the same events and more`() {
        let names: [Set<ExactText>] = [[], ["said"], ["counted", "said"], ["ended", "unheard"]]
        let filters = names.map { Filter($0, of: numbers, total) }
        let covered = filters.map { one in filters.map { one.isCovered(by: $0) } }
        #expect(
            covered == [
                [true, true, true, true], [false, true, true, false], [false, false, true, false],
                [false, false, false, true],
            ])
    }

    @Test func `An event that no filter could know yet is wanted by none`() {
        let filter = Filter(["said"], of: numbers, total)
        #expect(!filter.wants(numbers.add("later")))
    }

    @Test func `A released filter gives back its memory`() {
        var filter: Filter? = Filter(["said"], of: numbers, total)
        #expect(total.bytes == filter?.bytes)
        filter = nil
        #expect(total.bytes == 0)
    }
}
