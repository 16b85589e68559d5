import BusdClient
import BusdScreens

@main enum BooksProgram: ScreenProgram {
    static let name = "books"

    static func router(_ settings: Settings, _ connection: BusConnection) -> any Router<Step> {
        BooksRouter(settings, connection)
    }

    static func printLines(_ settings: Settings, _ loop: ClientLoop) throws -> Outcome {
        try PlainProgram(settings, loop).run()
    }
}
