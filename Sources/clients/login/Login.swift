import BusdClient
import BusdScreens

@main enum LoginProgram: ScreenProgram {
    static let name = "busd-login"

    static func guide(_ settings: Settings, _ connection: BusConnection) -> any Guide<Step> {
        forbidCoreDumps()
        return LoginGuide(settings, connection)
    }

    static func printLines(_ settings: Settings, _ loop: ClientLoop) throws -> Outcome {
        forbidCoreDumps()
        return try PlainLogin(settings, loop).run()
    }
}
