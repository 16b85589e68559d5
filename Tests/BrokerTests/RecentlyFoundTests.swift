import BusdProtocol
import Testing

@testable import BusdBroker

@Suite struct RecentlyFoundTests {
    private let addresses = (0..<2_000).compactMap { Address("echo/n\($0)") }

    @Test func `A recently found address is found until another takes its place`() {
        var found = RecentlyFound()
        #expect(addresses.allSatisfy { found.candidate($0) == nil })
        for (slot, address) in addresses.enumerated() {
            found.note(ModelID(slot: slot, number: 0), at: address)
            #expect(found.candidate(address)?.slot == slot)
        }
        let kept = addresses.indices.filter { found.candidate(addresses[$0])?.slot == $0 }
        #expect((200...256).contains(kept.count))
    }

    @Test func `A recently found address may have any length`() throws {
        var found = RecentlyFound()
        for text in ["a", "games", "books", "study/12", "scoreboard/1", "scoreboard/1/home/1"] {
            let address = try #require(Address(text))
            #expect(found.candidate(address) == nil)
            found.note(ModelID(slot: text.count, number: 0), at: address)
            #expect(found.candidate(address)?.slot == text.count)
        }
    }
}
