/// A view model that keeps a draft beside its things: input that a user has not submitted yet.
///
/// Drafts survive a planned stop of the daemon. A stored draft is set before `start()`.
public protocol DraftingViewModel: HostedViewModel {
    /// The value that is stored. A stored draft that cannot be decoded is dropped.
    associatedtype Draft: Codable

    /// `nil`: there is nothing to keep.
    var draft: Draft? { get set }

    /// The library in which a submitted draft creates a thing. It keeps the keys of durable events.
    var subject: Subject { get }
}

extension DraftingViewModel {
    /// The draft as JSON; `nil` if there is none, or if it cannot be encoded.
    package var encodedDraft: [UInt8]? { draft.flatMap { try? encoded($0) } }

    /// Throws if the bytes are not a draft.
    package func restore(_ bytes: [UInt8]) throws(WireError) {
        draft = try decoded(Draft.self, from: bytes)
    }
}
