import BusdProtocol
import TestSupport
import Testing

@testable import BusdBroker

@Suite struct `An index of addresses` {
    /// View models, each in the slot that is its index in `addresses`.
    private struct Shelf {
        var index = AddressIndex()
        private(set) var addresses: [Address] = []

        init(_ texts: String...) throws {
            for text in texts { add(try #require(Address(text))) }
        }

        @discardableResult
        mutating func add(_ address: Address) -> ModelID {
            let model = ModelID(slot: addresses.count, number: 1)
            addresses.append(address)
            index.insert(model) { [addresses] in addresses[$0.slot] }
            return model
        }

        mutating func remove(_ model: ModelID) {
            index.remove(model) { [addresses] in addresses[$0.slot] }
        }

        func all(from start: String = "", to end: String = "\u{7F}") -> [String] {
            var found: [String] = []
            index.forEach(from: start, to: end, { addresses[$0.slot] }) {
                found.append(addresses[$0.slot].text)
                return true
            }
            return found
        }

        func count(from start: String = "", to end: String = "\u{7F}") -> Int {
            index.count(from: start, to: end) { addresses[$0.slot] }
        }

        func below(_ address: Address) -> [Int] {
            index.below(address) { addresses[$0.slot] }.map(\.slot)
        }

        func beside(_ text: String, most: Int) -> [String] {
            index.beside(text, most: most) { addresses[$0.slot] }.map { addresses[$0.slot].text }
        }
    }

    @Test func `An index of thousands of addresses stays in order under random changes`() throws {
        var random = SeededGenerator(seed: 7)
        var shelf = try Shelf()
        var truth: [Address: ModelID] = [:]
        for _ in 0..<20_000 {
            let number = Int.random(in: 0..<4_000, using: &random)
            let address = try #require(Address("a/\(number)"))
            if let model = truth.removeValue(forKey: address) {
                shelf.remove(model)
            } else {
                truth[address] = shelf.add(address)
            }
        }
        #expect(shelf.all() == truth.keys.sorted().map(\.text))
        for (start, end) in [
            ("", "\u{7F}"), ("a/2", "a/3"), ("a/39", "b"), ("a/1", "a/1"), ("b", "c"),
        ] {
            #expect(shelf.count(from: start, to: end) == shelf.all(from: start, to: end).count)
        }
    }

    @Test func `The index finds the addresses between two texts`() throws {
        let shelf = try Shelf("b", "a", "a/b", "a-b", "a/c/d", "ab", "c")
        #expect(shelf.all(from: "a/", to: "a0") == ["a/b", "a/c/d"])
        #expect(shelf.all(from: "a", to: "a\u{7F}") == ["a", "a-b", "a/b", "a/c/d", "ab"])
        #expect(shelf.all().count == 7)
        #expect(shelf.all(from: "d", to: "e") == [])
    }

    @Test func `The index finds the addresses below an address, parents before children`() throws {
        let shelf = try Shelf("a", "a/b/c", "a/b", "a.b", "a/b.c", "ab/c")
        #expect(shelf.below(.literal("a")) == [2, 4, 1])
        #expect(shelf.below(.literal("a/b")) == [1])
        #expect(shelf.below(.literal("c")).isEmpty)
    }

    /// A successor may be added before the end of its predecessor is published.
    @Test func `The index finds the addresses next to a text, the nearest first`() throws {
        let shelf = try Shelf("a", "b", "c", "d", "e")
        #expect(shelf.beside("bb", most: 4) == ["c", "b", "d", "a"])
        #expect(shelf.beside("bb", most: 100).sorted() == ["a", "b", "c", "d", "e"])
        #expect(shelf.beside("z", most: 2) == ["e", "d"])
        #expect(try Shelf().beside("z", most: 2) == [])
    }
}
