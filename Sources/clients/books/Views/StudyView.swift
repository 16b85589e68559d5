import BusdBooksEvents
import BusdProtocol

/// The study of a book, as it is shown.
struct StudyState: Equatable {
    struct Card: Equatable {
        let front: String
        /// Nil while it is hidden.
        let back: String?
        let position: Int
        let count: Int
    }

    /// The last card that was shown. An undo may return to it.
    private var card: Card?
    private(set) var progress = ""
    private(set) var isDone = false
    private(set) var canUndo = false
    /// False before the first event of the view model.
    private(set) var isKnown = false

    mutating func apply(_ event: Study.ViewModelEvent) {
        isKnown = true
        switch event {
        case .card(let front, let position, let count, let back):
            card = Card(front: front, back: back, position: position, count: count)
        case .progress(let text): progress = text
        case .done(let isDone): self.isDone = isDone
        case .undoable(let canUndo, _): self.canUndo = canUndo
        }
    }

    /// Nil if no card is left.
    var current: Card? { isDone ? nil : card }

    var isRevealed: Bool { current?.back != nil }
}

/// A view on the study of a book.
final class StudyView: View {
    let output = Output<Study.ViewEvent>()
    private(set) var state = StudyState()

    func handle(event: Study.ViewModelEvent) { state.apply(event) }

    func reveal() { output.send(.reveal) }

    func undo() { output.send(.undo) }

    func again() { output.send(.again) }

    func answer(isKnown: Bool) { output.send(isKnown ? .known : .unknown) }
}
