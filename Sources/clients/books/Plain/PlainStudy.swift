import BusdBooksEvents
import BusdClient
import BusdProtocol
import BusdScreens

/// Prints the study of a book: one line per change, and one for each command.
final class PlainStudy {
    private let lines: PlainRun
    private let isOnce: Bool
    private let viewModel: RemoteViewModel<Study>
    private let view = StudyView()
    private var printed = ""
    private let commands: CommandQueue

    init(_ book: Address, _ lines: PlainRun, isOnce: Bool) {
        self.lines = lines
        self.isOnce = isOnce
        viewModel = RemoteViewModel(lines.connection, at: book, as: "study")
        commands = CommandQueue(lines, isReady: { [viewModel] in viewModel.isLive }) { [view] in
            PlainAnswer.step($0, view)
        }
        viewModel.onUpdate = { [weak self] in self?.changed() }
        viewModel.onLiveChanged = { [weak self] _ in self?.changed() }
        viewModel.onGone = { [weak lines] in lines?.end(.gone("the book is no longer there")) }
        viewModel.onHandled = { [weak commands] _ in commands?.answered() }
        viewModel.onUnanswered = { [weak commands] in commands?.answered($0.withoutAnswer) }
        viewModel.onUnsent = { [weak commands] in commands?.answered("\($0.name) was not sent") }
        viewModel.onRefused = { [weak self] in self?.refused($0) }
        lines.onCommand = { [weak commands] in commands?.add($0) }
        view.bind(with: viewModel)
    }

    private func refused(_ error: WireError) {
        guard !commands.answered("refused: \(error.message)") else { return }
        lines.end(.refused(error.about("book", at: viewModel.address)))
    }

    private func changed() {
        guard viewModel.isLive else { return }
        let line = view.state.line
        if line != printed { lines.line(line) }
        printed = line
        lines.hasValues()
        commands.goOn()
        if isOnce { lines.end(.done) }
    }
}

extension StudyState {
    /// `43% KNOWN  3 of 12  水 = water`, without the back while it is hidden; `100% KNOWN  done`
    var line: String {
        guard let card = current else { return progress + (isDone ? "  done" : "  no cards") }
        let answer = card.back.map { " = " + $0 } ?? ""
        return "\(progress)  \(card.position) of \(card.count)  \(card.front + answer)".inOneLine
    }
}
