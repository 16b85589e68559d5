import BusdClient
import BusdScreens

@main enum ScoreboardProgram: ScreenProgram {
    static let name = "scoreboard"

    static func router(_ settings: Settings, _ connection: BusConnection) -> any Router<Step> {
        ScoreboardRouter(settings, connection)
    }

    static func printLines(_ settings: Settings, _ loop: ClientLoop) throws -> Outcome {
        try PlainProgram(settings, loop).run()
    }
}
