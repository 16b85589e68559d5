import BusdProtocol

extension StateWriter {
    enum Job: Sendable {
        case save([StateChange])
        case end(covered: Int, Instant)
        /// Abandons the round.
        case drop
        /// There is a note on the board.
        case note
        case drafts([SavedDraft])
        /// The entries of a removal are gone.
        case removed(Removal)
        /// The log is to be cut: the writer needs the states of these things.
        case cut([ThingKey])
        /// `nil`: one of the two verified copies.
        case copy(to: String?)
        case copied(Result<[String], StoreError>)
        case close
    }

    // Milliseconds:
    static let betweenNotes = 500
    static let untilFirstCopy = 10_000
    static let betweenCopies = 24 * 60 * 60 * 1000

    static let framesPerCheckpoint = 256
}
