package import BusdClient
import BusdEventLoop
import BusdOptions
import BusdTerminal
import Glibc

/// A program that shows view models of the daemon: on a screen if there is a terminal, else in
/// lines.
package protocol ScreenProgram {
    associatedtype Settings: ProgramSettings
    associatedtype Destination

    static var name: String { get }

    /// The pages of a run with a screen.
    static func router(_ settings: Settings, _ connection: BusConnection) -> any Router<Destination>

    /// A run without a screen.
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
            case .command(let run):
                let console = Console(of: name)
                exit(console.finish(console.status { try run(console) }).rawValue)
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
        // Connect first: ssh may ask for a password on the terminal.
        if let loss = try connection.reach(as: name, within: nil) { return .lost(loss) }
        do {
            return try Interface.show(router(settings, connection), connection)
        } catch let error as ScreenError {
            connection.close()
            PlainOutput.errors.line("\(name): \(error); printing lines")
            return try printLines(settings, loop)
        }
    }

    /// Called after the screen is gone, so that the message stays visible.
    private static func end(_ outcome: Outcome) -> Never {
        if let message = outcome.message { PlainOutput.errors.line("\(name): \(message)") }
        exit(outcome.status)
    }
}
