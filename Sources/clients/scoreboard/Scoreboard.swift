import BusClient
import EventLoop
import Glibc
import Options
import Terminal

@main enum ScoreboardProgram {
    static func main() {
        fillStandardDescriptors()
        do {
            switch try Settings.read(CommandLine.arguments.dropFirst()) {
            case .show(let text): PlainOutput.standard.write(text)
            case .run(let settings): end(try run(settings))
            }
        } catch let error as UsageError {
            PlainOutput.errors.write("\(error)\n")
            exit(64)
        } catch {
            end(.noConnection("\(error)"))
        }
    }

    private static func run(_ settings: Settings) throws -> Outcome {
        let loop = try ClientLoop()
        if settings.isPlain { return try PlainProgram(settings, loop).run() }
        do {
            return try Interface(settings, loop).run(on: try Screen())
        } catch let error as ScreenError {
            PlainOutput.errors.line("scoreboard: \(error); printing lines")
            return try PlainProgram(settings, loop).run()
        }
    }

    /// By now the screen is gone, so that what is said here stays.
    private static func end(_ outcome: Outcome) -> Never {
        if let message = outcome.message { PlainOutput.errors.line("scoreboard: \(message)") }
        exit(outcome.status)
    }
}
