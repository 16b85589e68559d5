import Broker
import Protocol
import Testing

@testable import Hosting

@Suite struct `What was looked for last` {
    @Test func `is found until sixteen others have been looked for`() throws {
        var found = RecentlyFound()
        let addresses = try (0..<40).map { try #require(Address("echo/n\($0)")) }
        for (slot, address) in addresses.enumerated() {
            #expect(found[address] == nil)
            found.append(address, ModelID(slot: slot, generation: 0))
            let kept = max(0, slot - 15)...slot
            #expect(addresses.indices.filter { found[addresses[$0]] != nil } == Array(kept))
            #expect(kept.allSatisfy { found[addresses[$0]]?.slot == $0 })
        }
    }
}
