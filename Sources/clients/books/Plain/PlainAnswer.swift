import BusdScreens

/// A line of standard input, while a book is studied without a screen.
enum PlainAnswer: String, CaseIterable {
    case reveal, known, unknown, undo, again

    static let help = "write reveal, known, unknown, undo or again"

    /// The word, or its key on the screen; in upper or lower case.
    init?(_ line: String) {
        let text = line.lowercased()
        let answer = Self.allCases.first { [$0.rawValue, $0.key].contains(text) }
        guard let answer else { return nil }
        self = answer
    }

    private var key: String {
        switch self {
        case .reveal: "r"
        case .known: "k"
        case .unknown: "u"
        case .undo: "z"
        case .again: "a"
        }
    }

    static func step(_ line: String, _ view: StudyView) -> CommandQueue.Step {
        PlainAnswer(line)?.step(view) ?? .answer(help)
    }

    private func step(_ view: StudyView) -> CommandQueue.Step {
        let state = view.state
        switch self {
        case .undo:
            guard state.canUndo else { return .answer("nothing was taken back") }
            return .send(answer: "the last answer was taken back") { view.undo() }
        case .again:
            guard state.isDone else { return .answer("cards are left") }
            return .send(answer: "another round") { view.again() }
        case .reveal, .known, .unknown:
            guard let card = state.current else { return .answer("no card is left") }
            let front = card.front.inOneLine
            if self == .reveal { return .send(answer: "revealed \(front)") { view.reveal() } }
            guard state.isRevealed else { return .answer("reveal the card first") }
            return .send(answer: "\(rawValue): \(front)") { view.answer(isKnown: self == .known) }
        }
    }
}
