import BusdClient
import BusdScreens

@main enum LoginProgram: ScreenProgram {
    static let name = "busd-login"

    static func router(_ settings: Settings, _ connection: BusConnection) -> any Router<Step> {
        forbidCoreDumps()
        return LoginRouter(settings, connection)
    }

    static func printLines(_ settings: Settings, _ loop: ClientLoop) throws -> Outcome {
        forbidCoreDumps()
        return try PlainLogin(settings, loop).run()
    }
}
