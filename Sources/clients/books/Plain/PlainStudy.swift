import BusdClient
import BusdProtocol
import BusdScreens

/// Prints the study of a book: one line per change.
final class PlainStudy {
    private let lines: PlainRun
    private let isOnce: Bool
    private let viewModel: RemoteViewModel<Study>
    private let view = StudyView()
    private var printed = ""

    init(_ book: Address, _ lines: PlainRun, isOnce: Bool) {
        self.lines = lines
        self.isOnce = isOnce
        viewModel = RemoteViewModel(lines.connection, at: book, as: "study")
        viewModel.onUpdate = { [weak self] in self?.changed() }
        viewModel.onLiveChanged = { [weak self] _ in self?.changed() }
        viewModel.onGone = { [weak lines] in lines?.end(.gone("the book is no longer there")) }
        viewModel.onRefused = { [weak lines] in lines?.end(.refused($0)) }
        view.bind(with: viewModel)
    }

    private func changed() {
        guard viewModel.isLive else { return }
        let line = view.state.line
        if line != printed { lines.line(line) }
        printed = line
        lines.hasValues()
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
