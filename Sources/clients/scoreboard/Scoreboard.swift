import BusdClient
import BusdScreens

@main enum ScoreboardProgram: ScreenProgram {
    static let name = "scoreboard"

    static func guide(_ settings: Settings, _ connection: BusConnection) -> any Guide<Step> {
        ScoreboardGuide(settings, connection)
    }

    static func printLines(_ settings: Settings, _ loop: ClientLoop) throws -> Outcome {
        try PlainProgram(settings, loop).run()
    }
}
