/// A view model that keeps a draft beside its things: what a user has typed and not yet created.
///
/// Drafts survive a planned stop of the daemon. One that was stored is set before `start()`.
public protocol DraftingViewModel: HostedViewModel {
    associatedtype Draft: Codable

    /// `nil`: there is nothing to keep.
    var draft: Draft? { get set }
}

extension DraftingViewModel {
    /// The draft as JSON; `nil` if there is none to keep, or if it has no such form.
    package var encodedDraft: [UInt8]? { draft.flatMap { try? encoded($0) } }

    /// Throws if the bytes are not a draft.
    package func restore(_ bytes: [UInt8]) throws(WireError) {
        draft = try decoded(Draft.self, from: bytes)
    }
}
