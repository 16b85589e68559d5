package import BusdClient
import BusdEventLoop
import BusdOptions
import BusdTerminal
import Glibc

/// A program that shows what the daemon hosts: on a screen where there is one, else in lines.
package protocol ScreenProgram {
    associatedtype Settings: ProgramSettings
    associatedtype Destination

    static var name: String { get }

    /// On a screen.
    static func guide(_ settings: Settings, _ connection: BusConnection) -> any Guide<Destination>

    /// Without one.
    static func printLines(_ settings: Settings, _ loop: ClientLoop) throws -> Outcome
}

extension ScreenProgram {
    package static func main() {
        unblockSignals()
        ignoreSignalsOfFailedWrites()
        fillStandardDescriptors()
        do {
            switch try Settings.readCommandLine() {
            case .show(let text):
                if !PlainOutput.standard.write(text) { end(.afterFailedWrite()) }
            case .run(let settings): end(try run(settings))
            }
        } catch let error as UsageError {
            PlainOutput.errors.write("\(error)\n")
            exit(ExitStatus.usage.rawValue)
        } catch {
            end(.noConnection("\(error)"))
        }
    }

    private static func run(_ settings: Settings) throws -> Outcome {
        let loop = try ClientLoop()
        if settings.client.isPlain { return try printLines(settings, loop) }
        let connection = settings.client.connection(loop, name: name)
        // While ssh may ask for a password, the terminal is not the screen's.
        if let loss = try connection.reach(as: name, within: nil) { return .lost(loss) }
        do {
            let screen = try Screen()
            connection.becomeQuiet()
            return try Interface(connection, guide(settings, connection)).run(on: screen)
        } catch let error as ScreenError {
            connection.close()
            PlainOutput.errors.line("\(name): \(error); printing lines")
            return try printLines(settings, loop)
        }
    }

    /// By now the screen is gone, so that what is said here stays.
    private static func end(_ outcome: Outcome) -> Never {
        if let message = outcome.message { PlainOutput.errors.line("\(name): \(message)") }
        exit(outcome.status)
    }
}
