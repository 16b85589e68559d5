public import BusdProtocol
import BusdTestKit
import Testing

extension ViewModel {
    /// Handles an event, and applies its proposals.
    public func handle(_ event: ViewEvent, settling libraries: Libraries) {
        handle(event: event)
        libraries.settle()
    }
}

extension Identifier {
    /// The id of the first thing.
    public static var first: Self {
        guard let id = Self(1) else { preconditionFailure("1 is an id") }
        return id
    }

    public var next: Self { Self(number + 1) ?? self }
}

public func address(_ text: String) throws -> Address { try #require(Address(text)) }

extension Instant {
    public static func seconds(_ seconds: Double) -> Instant {
        Instant(microseconds: Int64((seconds * 1_000_000).rounded()))
    }
}

/// A value of a stored JSON text.
public func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws -> T {
    let document = JSONDocument()
    try document.read(bytes)
    return try #require(document.root).decode(type, at: "body")
}
