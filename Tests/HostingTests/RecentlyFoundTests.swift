import BusdBroker
import BusdProtocol
import Testing

@testable import BusdHosting

@Suite struct RecentlyFoundTests {
    private let addresses = (0..<2_000).compactMap { Address("echo/n\($0)") }

    @Test func `a recently found address is found until another takes its place`() {
        var found = RecentlyFound()
        #expect(addresses.allSatisfy { found[$0] == nil })
        for (slot, address) in addresses.enumerated() {
            found[address] = ModelID(slot: slot, generation: 0)
            #expect(found[address]?.slot == slot)
        }
        let kept = addresses.indices.filter { found[addresses[$0]]?.slot == $0 }
        #expect((200...256).contains(kept.count))
    }

    @Test func `a recently found address may have any length`() throws {
        var found = RecentlyFound()
        for text in ["a", "games", "books", "study/12", "scoreboard/1", "scoreboard/1/home/1"] {
            let address = try #require(Address(text))
            #expect(found[address] == nil)
            found[address] = ModelID(slot: text.count, generation: 0)
            #expect(found[address]?.slot == text.count)
        }
    }
}
