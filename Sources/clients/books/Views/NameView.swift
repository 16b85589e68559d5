import BusdBooksEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The first screen of adding a book: its name.
final class NameView: View {
    let output = Output<BookCreator.ViewEvent>()
    private(set) var name = DraftField()
    private(set) var canGoOn = false

    func handle(event: BookCreator.ViewModelEvent) {
        switch event {
        case .name(let text): name.received(text)
        case .nextEnabled(let isEnabled): canGoOn = isEnabled
        case .screen, .cardsText, .cards, .addEnabled, .added: break
        }
    }

    func edit(_ key: Key) {
        if let text = name.edit(key) { output.send(.nameChanged(name: text)) }
    }

    /// Sends the name to a view model that has lost it.
    func resend(_ text: String) { output.send(.nameChanged(name: text)) }

    func goOn() { output.send(.nextTapped) }

    func forgetSent() { name.forgetSent() }
}
