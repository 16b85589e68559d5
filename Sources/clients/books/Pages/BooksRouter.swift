import BusdBooksEvents
import BusdClient
import BusdProtocol
import BusdScreens

/// The pages of the library. All pages share one view of the list, so the choice stays.
final class BooksRouter: Router {
    private let settings: Settings
    private let connection: BusConnection
    private let viewModel: RemoteViewModel<Books>
    private let view = BooksView()
    private var watch: SteadyWatch?

    init(_ settings: Settings, _ connection: BusConnection) {
        self.settings = settings
        self.connection = connection
        viewModel = RemoteViewModel(connection, at: .literal("books"), as: "books")
    }

    func firstPage(on host: any PageHost<Step>) -> any Page {
        viewModel.report(to: host)
        watch = SteadyWatch(viewModel, connection.loop.clock) { [weak self, weak host] in
            self?.view.state.list.hide()
            host?.changed()
        }
        view.bind(with: viewModel)
        if let book = settings.book { view.state.choose(book.name) }
        return settings.book.map { studyPage($0, on: host) } ?? booksPage(on: host)
    }

    func go(_ step: Step, on interface: Interface<Step>) {
        switch step {
        case .study(let address): interface.push(studyPage(address, on: interface))
        case .cards(let book, let place):
            interface.push(BookCardsPage(book, at: place, connection, on: interface))
        case .edit(let card): interface.push(CardEditorPage(card, connection, on: interface))
        case .rename(let book): interface.push(RenamePage(book, view, on: interface))
        case .create:
            interface.push(CreatorPage(settings.creator, connection, on: interface))
        case .help: interface.push(HelpPage(on: interface))
        case .back: if !interface.pop() { interface.replace(with: booksPage(on: interface)) }
        case .quit: interface.leave()
        case .added(let book):
            view.state.choose(book)
            interface.replace(with: booksPage(on: interface))
        case .gone: showBooks("the book is no longer there", on: interface)
        case .refused(let error): refused(error, on: interface)
        }
    }

    private func booksPage(on host: any PageHost<Step>) -> any Page {
        BooksPage(view, connection, on: host)
    }

    private func studyPage(_ address: Address, on host: any PageHost<Step>) -> any Page {
        StudyPage(address, in: view, connection, on: host)
    }

    private func refused(_ error: WireError, on interface: Interface<Step>) {
        if settings.book != nil { return interface.end(.refused(error)) }
        showBooks("refused: \(error.message)", on: interface)
    }

    private func showBooks(_ notice: String, on interface: Interface<Step>) {
        interface.replace(with: booksPage(on: interface))
        interface.showNotice(notice)
    }
}
