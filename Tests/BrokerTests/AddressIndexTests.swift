@testable import Broker
import Protocol
import Testing

@Suite struct `An index of addresses` {
    private func index(_ texts: [String]) throws -> AddressIndex {
        var index = AddressIndex()
        for (slot, text) in texts.enumerated() {
            index.insert(ModelID(slot: slot, generation: 1), at: try #require(Address(text)))
        }
        return index
    }

    private func all(_ index: AddressIndex, from start: String, to end: String) -> [String] {
        var found: [String] = []
        index.forEach(from: start, to: end) { address, _ in found.append(address.text) }
        return found
    }

    @Test func `holds thousands in order, whatever comes and goes`() throws {
        var random = SeededGenerator(seed: 7)
        var index = AddressIndex()
        var truth: [Address: ModelID] = [:]
        for slot in 0..<20_000 {
            let number = Int.random(in: 0..<4_000, using: &random)
            let address = try #require(Address("a/\(number)"))
            if let model = truth.removeValue(forKey: address) {
                index.remove(model, at: address)
            } else {
                let model = ModelID(slot: slot, generation: 1)
                index.insert(model, at: address)
                truth[address] = model
            }
        }
        #expect(index.count == truth.count)
        var found: [ModelID] = []
        index.forEach(from: "", to: "b") { found.append($1) }
        #expect(found == truth.sorted { $0.key < $1.key }.map(\.value))
    }

    @Test func `finds those between two texts`() throws {
        let index = try index(["b", "a", "a/b", "a-b", "a/c/d", "ab", "c"])
        #expect(all(index, from: "a/", to: "a0") == ["a/b", "a/c/d"])
        #expect(all(index, from: "a", to: "a\u{7F}") == ["a", "a-b", "a/b", "a/c/d", "ab"])
        #expect(all(index, from: "", to: "\u{7F}").count == 7)
        #expect(all(index, from: "d", to: "e") == [])
    }

    @Test func `finds what is below an address, a part after what it is part of`() throws {
        let index = try index(["a", "a/b/c", "a/b", "a.b", "a/b.c", "ab/c"])
        #expect(index.below(.literal("a")).map(\.slot) == [2, 4, 1])
        #expect(index.below(.literal("a/b")).map(\.slot) == [1])
        #expect(index.below(.literal("c")).isEmpty)
    }

    @Test func `removes nothing where another has come`() throws {
        var index = try index(["a", "b"])
        index.remove(ModelID(slot: 9, generation: 1), at: .literal("a"))
        index.remove(ModelID(slot: 0, generation: 1), at: .literal("c"))
        #expect(index.count == 2)
    }

    @Test func `tells which stand beside a text, the nearest first`() throws {
        let index = try index(["a", "b", "c", "d", "e"])
        #expect(index.beside("bb", most: 4) == ["c", "b", "d", "a"])
        #expect(index.beside("bb", most: 100).sorted() == ["a", "b", "c", "d", "e"])
        #expect(index.beside("z", most: 2) == ["e", "d"])
        #expect(AddressIndex().beside("z", most: 2) == [])
    }
}
