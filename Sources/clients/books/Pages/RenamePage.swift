import BusdBooksEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// Gives a book another name.
final class RenamePage: Page {
    private weak var host: (any PageHost<Step>)?
    private let view: BooksView
    private let book: Books.Row
    private var name: TextField

    /// - Parameter book: as this screen shows it.
    init(_ book: Books.Row, _ view: BooksView, on host: any PageHost<Step>) {
        self.book = book
        self.view = view
        self.host = host
        name = TextField(book.name)
    }

    func press(_ key: Key) {
        host?.changed()
        switch RenameCommand(key) {
        case .save: save()
        case .cancel: host?.go(.back)
        case .edit(let key): _ = name.edit(key)
        }
    }

    private func save() {
        do throws(NameProblem) {
            view.rename(book, to: try Name(name.text))
            host?.go(.back)
        } catch {
            host?.showNotice("the name \(error.text)")
        }
    }

    // MARK: Drawing

    let minimum = Size(columns: 30, rows: 4)
    var hints: [Hint] { RenameCommand.hints }

    func draw(on picture: inout Picture, in area: Area) {
        let inner = area.inset(columns: area.columns >= 60 ? 4 : 0)
        let (title, rest) = inner.split(rows: 2)
        picture.frame.write("Rename \(book.name)", in: title, .left, .bold)
        FormField(number: 0, label: "Name", field: name, isFocused: true)
            .draw(on: &picture, in: rest.split(rows: 1).top, labelColumns: 6)
    }
}
