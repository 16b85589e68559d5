import BusdClient
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The study of a book.
final class StudyPage: Page {
    private weak var host: (any PageHost<Step>)?
    private let viewModel: RemoteViewModel<Study>
    private let view = StudyView()
    private let books: BooksView

    /// - Parameter books: has the name of the book.
    init(
        _ address: Address, in books: BooksView, _ connection: BusConnection,
        on host: any PageHost<Step>
    ) {
        self.books = books
        self.host = host
        viewModel = RemoteViewModel(connection, at: address, as: "study")
        viewModel.report(to: host)
        viewModel.onGone = { [weak host] in host?.go(.gone) }
        viewModel.onRefused = { [weak self] in self?.refused($0) }
        view.bind(with: viewModel)
    }

    private func refused(_ error: WireError) {
        if view.state.isKnown {
            host?.showNotice("refused: \(error.message)")
        } else {
            host?.go(.refused(error))
        }
    }

    // MARK: Keys

    func press(_ key: Key) {
        switch StudyCommand(key) {
        case .reveal: view.reveal()
        case .answer(let isKnown): view.answer(isKnown: isKnown)
        case .undo: view.undo()
        case .again: view.again()
        case .help: host?.go(.help)
        case .back: host?.go(.back)
        case .quit: host?.go(.quit)
        case nil: break
        }
    }

    // MARK: Drawing

    var minimum: Size { StudyPicture.minimum }

    var summary: String { view.state.isKnown ? "\(title)  \(view.state.progress)" : "" }

    var hints: [Hint] { view.state.isKnown ? StudyHints.all(view.state) : [] }

    func draw(on picture: inout Picture, in area: Area) {
        guard view.state.isKnown else {
            return picture.frame.write(
                "Waiting for \(viewModel.address)…", in: area, row: area.rows / 2, .center, .dim)
        }
        StudyPicture(title: title, state: view.state).draw(on: &picture, in: area)
    }

    private var title: String {
        let book = viewModel.address.name
        return books.state.name(of: book) ?? "Book \(book)"
    }
}
