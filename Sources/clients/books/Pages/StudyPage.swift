import BusdBooksEvents
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
    private var scroll = CardScroll()
    /// Of the card that was drawn last.
    private var layout: CardLayout?

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
            host?.go(.refused(error.about("book", at: viewModel.address)))
        }
    }

    // MARK: Keys

    func press(_ key: Key) {
        switch StudyCommand(key) {
        case .reveal: reveal()
        case .answer(let isKnown): view.answer(isKnown: isKnown)
        case .undo: view.undo()
        case .again: view.again()
        case .scroll(let lines):
            if let layout { changeScroll { $0.scroll(by: lines, layout) } }
        case .turn(let pages):
            if let layout { changeScroll { $0.scroll(pages: pages, layout) } }
        case .edit: edit()
        case .cards:
            let place = view.state.current.map { $0.position - 1 }
            host?.go(.cards(viewModel.address.name, at: place ?? 0))
        case .help: host?.go(.help)
        case .back: host?.go(.back)
        case .quit: host?.go(.quit)
        case nil: break
        }
    }

    private func changeScroll(_ change: (inout CardScroll) -> Void) {
        change(&scroll)
        host?.changed()
    }

    private func reveal() {
        guard let layout, view.state.current != nil else { return view.reveal() }
        var turnsOver = true
        changeScroll { turnsOver = $0.turnsOver(layout) }
        if turnsOver { view.reveal() }
    }

    private func edit() {
        guard let card = view.state.current else { return }
        guard let back = card.back else {
            host?.showNotice("space reveals the card, then e changes it")
            return
        }
        host?.go(
            .edit(
                CardToEdit(
                    book: viewModel.address.name, place: card.position - 1,
                    card: Card(front: card.front, back: back))))
    }

    // MARK: Drawing

    var minimum: Size { StudyPicture.minimum }

    var summary: String { view.state.isKnown ? "\(title)  \(view.state.progress)" : "" }

    var hints: [Hint] {
        guard view.state.isKnown else { return [] }
        let below = layout.map { scroll.below($0) } ?? 0
        return StudyHints.all(view.state, hasMore: below > 0 && view.state.current != nil)
    }

    func draw(on picture: inout Picture, in area: Area) {
        guard view.state.isKnown else {
            return picture.frame.write(
                "Waiting for book \(viewModel.address.name)…", in: area, row: area.rows / 2,
                .center, .dim)
        }
        var study = StudyPicture(title: title, state: view.state)
        layout = study.layout(in: area)
        if let layout, let card = view.state.current { scroll.show(card, layout) }
        study.scroll = scroll
        study.draw(on: &picture, in: area)
    }

    private var title: String {
        let book = viewModel.address.name
        return books.state.name(of: book) ?? "Book \(book)"
    }
}
