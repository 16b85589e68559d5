import BusdProtocol

/// A request that is answered once: by busd, or because the time is over.
final class Question<Answer> {
    private var done: ((Answer) -> Void)?
    var deadline: ScheduledAction?

    init(_ done: @escaping (Answer) -> Void) { self.done = done }

    var isOpen: Bool { done != nil }

    func answer(_ answer: Answer) {
        deadline = nil
        done?(answer)
        done = nil
    }
}
