import BusdBooksEvents
import BusdClient
import BusdProtocol
import BusdScreens

/// Prints all books, and then each line that changes.
final class PlainLibrary {
    private let lines: PlainRun
    private let isOnce: Bool
    private let viewModel: RemoteViewModel<Books>
    private let view = BooksView()
    private var printed: [Books.Row.ID: String] = [:]
    private var progress = ""

    init(_ lines: PlainRun, isOnce: Bool) {
        self.lines = lines
        self.isOnce = isOnce
        viewModel = RemoteViewModel(lines.connection, at: .literal("books"), as: "books")
        viewModel.onUpdate = { [weak self] in self?.changed() }
        viewModel.onLiveChanged = { [weak self] _ in self?.changed() }
        viewModel.onRefused = { [weak lines] in lines?.end(.refused($0)) }
        view.bind(with: viewModel)
    }

    private func changed() {
        guard viewModel.isLive else { return }
        printChanges()
        if lines.onCommand == nil {
            lines.onCommand = { [weak lines] _ in
                lines?.answer("write commands to the study of a book, such as books --plain 3")
            }
        }
        lines.hasValues()
        if isOnce { lines.end(.done) }
    }

    private func printChanges() {
        if view.state.progress != progress {
            progress = view.state.progress
            lines.line(progress)
        }
        let rows = view.state.list.rows
        for row in rows where printed[row.id] != row.line { lines.line(row.line) }
        let left = Set(rows.map(\.id))
        for (id, line) in printed.sorted(by: { $0.value < $1.value }) where !left.contains(id) {
            if !line.hasSuffix(Books.Row.deletedMark) { lines.line(line + Books.Row.deletedMark) }
        }
        printed = Dictionary(rows.map { ($0.id, $0.line) }) { $1 }
    }
}

extension Books.Row {
    static let deletedMark = "  deleted"

    /// `3  Kanji  120 cards  43%`
    var line: String {
        "\(id)  \(name)  \(cards)  \(progress)" + (isDeleted ? Self.deletedMark : "")
    }
}
