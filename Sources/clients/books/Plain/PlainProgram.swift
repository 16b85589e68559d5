import BusdClient
import BusdProtocol
import BusdScreens

/// The program without a screen: prints the library, or the study of a book.
final class PlainProgram {
    private let settings: Settings
    private let lines: PlainRun
    private var library: PlainLibrary?
    private var study: PlainStudy?

    init(_ settings: Settings, _ loop: ClientLoop) {
        self.settings = settings
        lines = PlainRun(
            "books", settings.client, loop, for: settings.isOnce ? .answer : .news,
            readsCommands: true)
    }

    /// Nothing else keeps this object alive while the loop runs.
    func run() throws -> Outcome {
        try withExtendedLifetime(self) { try lines.run { [weak self] in self?.start() } }
    }

    private func start() {
        if let book = settings.book {
            study = PlainStudy(book, lines, isOnce: settings.isOnce)
        } else {
            library = PlainLibrary(lines, isOnce: settings.isOnce)
        }
    }
}
