import BusdProtocol
import Testing

private enum Station: String, Codable, Sendable, CaseIterable {
    case grill
    case salad = "cold kitchen"
}

/// An enum of texts that does not list its cases.
private enum Course: String, Codable, Sendable {
    case first, second
}

private enum Kitchen: WireEvent {
    struct Dish: Codable, Equatable, Sendable {
        var name: String
        var station: Station
    }

    case move(to: Station, from: Station?)
    case serve(course: Course)
    case dishes(dishes: [Dish])

    static let examples: [Self] = [
        .move(to: .grill, from: .salad), .serve(course: .first),
        .dishes(dishes: [Dish(name: "soup", station: .grill)]),
    ]
}

@Suite struct TextChoiceTests {
    private let words = ["grill", "cold kitchen"]

    private func fault(_ json: String) throws -> WireError? {
        let document = JSONDocument()
        try document.read(Array(json.utf8))
        do throws(WireError) {
            _ = try document.root?.decode(Kitchen.self, at: "event")
            return nil
        } catch {
            return error
        }
    }

    @Test func `A description has the words of an enum of texts, wherever it is`() {
        let events = EventDescription.all(of: Kitchen.self)
        #expect(events[0].fields.map(\.type) == [.choice(words), .choice(words)])
        #expect(events[1].fields.map(\.type) == [.text])
        #expect(events[0].fields.map(\.isOptional) == [false, true])
        #expect(events[2].fields[0].type.members?.map(\.type) == [.text, .choice(words)])
    }

    @Test func `Another text is refused with the words, and a near one is suggested`() throws {
        let known = try fault(#"{"move":{"to":"cold kitchen"}}"#)
        #expect(known == nil)
        let near = try fault(#"{"move":{"to":"gril"}}"#)
        #expect(
            near
                == WireError(
                    .badEvent, "expected grill or cold kitchen", path: "event.move.to",
                    suggestions: ["grill"]))
        let nested = try fault(#"{"dishes":{"dishes":[{"name":"tea","station":"x"}]}}"#)
        #expect(
            nested
                == WireError(
                    .badEvent, "expected grill or cold kitchen",
                    path: "event.dishes.dishes.0.station"))
        let number = try fault(#"{"move":{"to":1}}"#)
        #expect(number == WireError(.badEvent, "expected a text", path: "event.move.to"))
    }
}

extension ValueType {
    /// The members of the elements.
    fileprivate var members: [Member]? {
        guard case .list(of: .object(let members)) = self else { return nil }
        return members
    }
}
