package import BusdClient
package import BusdProtocol

/// The present values of a view model, and what was done to its thing before.
package struct PresentValues {
    package let events: [JSONValue]
    package let done: String?

    fileprivate init(_ answer: JSONValue) {
        events = answer.list("events")
        done = answer["done"]?.text
    }

    /// The events that this version knows.
    package func events<Event: WireEvent>(_ type: Event.Type) -> [Event] {
        events.compactMap { try? $0.decode(type, at: "event") }
    }
}

extension Session {
    /// The values of each view model, in this order; nil: there is no such view model.
    package func values(of addresses: [Address]) throws -> [PresentValues?] {
        try answers(to: addresses.map { .get($0) }).map { answer in
            switch answer {
            case .success(let value): return PresentValues(value)
            case .failure(let error) where error.code == .unknownViewModel: return nil
            case .failure(let error): throw RequestFailure.refused(error)
            }
        }
    }
}

extension RequestFailure {
    /// Only some of the view models that an export reads are there.
    package static let hidden = refused(
        WireError(.unknownViewModel, "a part of this is not there: a policy may hide it"))
}

extension JSONValue {
    /// The elements of a list that is a member; empty if there is none.
    package func list(_ key: String) -> [JSONValue] { self[key].map { Array($0.elements) } ?? [] }
}
