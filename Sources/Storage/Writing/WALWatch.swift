/// When to look after the write-ahead log (WAL) of an open database.
///
/// If the WAL is removed while the database is open, a kill loses what only the WAL has. So its
/// name is looked for once a second while it has content. Ten seconds after the last commit its
/// content is copied into the database; then nothing can be lost, and the thread is not woken.
struct WALWatch {
    enum Step: Equatable {
        case none
        /// Save the content if the WAL has lost its name.
        case look
        /// Copy the content into the database.
        case checkpoint
    }

    /// Milliseconds.
    private static let interval = 1_000
    private static let mostLooks = 10

    /// Milliseconds of the monotonic clock; `nil`: the WAL has no content.
    private var due: Int?
    /// Since the last commit.
    private var looks = 0

    /// Milliseconds until `next` has a step; -1: it will have none before the next commit.
    func wait(at now: Int) -> Int32 { due.map { Int32(clamping: max(0, $0 - now)) } ?? -1 }

    mutating func noteCommit(at now: Int) {
        looks = 0
        due = due ?? now + Self.interval
    }

    /// - Parameter isEmpty: the WAL has no content that the database lacks.
    mutating func next(isEmpty: Bool, at now: Int) -> Step {
        guard let due, due <= now else { return .none }
        self.due = isEmpty ? nil : now + Self.interval
        guard !isEmpty else { return .none }
        looks += 1
        return looks < Self.mostLooks ? .look : .checkpoint
    }
}
