/// Data of the `send` that is being handled, for the log entry of its action. A class, because most
/// sends need no such data.
package final class SendContext {
    package var key: SendKey?
    package var name: String?
    package var uid: Int?
    package var subject: Subject?
    /// The `send` has `ifSeq` or `ifDone`.
    package var isConditional = false

    package init() {}
}

/// The result of a proposal that a view model made while it handled a `send`.
package enum SendResult {
    case nothing
    /// Not appended, because it would have no effect or because nothing can be written now.
    case settled(SendOutcome)
    /// `applyNext` returns the same number once its outcome is known.
    case pending(Int, changesLibrary: Bool)
}

enum ProposedSend {
    case nothing
    case settled(Proposal, ProposalFate)
    case pending(Int, changesLibrary: Bool)
}
