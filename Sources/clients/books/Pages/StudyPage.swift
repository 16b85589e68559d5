import BusdClient
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The study of a book.
final class StudyPage: Page {
    private weak var stage: (any Stage<Step>)?
    private let viewModel: RemoteViewModel<Study>
    private let view = StudyView()
    private let books: BooksView

    /// - Parameter books: has the name of the book.
    init(
        _ address: Address, in books: BooksView, _ connection: BusConnection,
        on stage: any Stage<Step>
    ) {
        self.books = books
        self.stage = stage
        viewModel = RemoteViewModel(connection, at: address, as: "study")
        viewModel.report(to: stage)
        viewModel.onGone = { [weak stage] in stage?.go(.gone) }
        viewModel.onRefused = { [weak self] in self?.refused($0) }
        view.bind(with: viewModel)
    }

    private func refused(_ error: WireError) {
        if view.state.isKnown {
            stage?.say("refused: \(error.message)")
        } else {
            stage?.go(.refused(error))
        }
    }

    // MARK: Keys

    func press(_ key: Key) {
        switch StudyCommand(key) {
        case .reveal: view.reveal()
        case .answer(let isKnown): view.answer(isKnown: isKnown)
        case .undo: view.undo()
        case .again: view.again()
        case .help: stage?.go(.help)
        case .back: stage?.go(.back)
        case .quit: stage?.go(.quit)
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
