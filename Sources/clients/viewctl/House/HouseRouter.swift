import BusdClient
import BusdProtocol
import BusdScreens
import BusdTerminal

/// Shows the only page of `viewctl house`. Its only destination is the end of the program.
final class HouseRouter: Router {
    private let connection: BusConnection

    init(_ connection: BusConnection) { self.connection = connection }

    /// - Parameter limit: zero is without limit.
    /// - Throws: `ScreenError` if the terminal cannot show a screen. The connection is not open
    ///   then.
    func run(within limit: Duration) throws -> Outcome {
        let screen = try Screen()
        connection.becomeQuiet()
        let interface = Interface(connection, self)
        let limit = connection.left(of: limit)
        let deadline =
            limit == .zero
            ? nil : connection.loop.clock.schedule(after: limit) { interface.end(.timedOut) }
        return try withExtendedLifetime(deadline) { try interface.run(on: screen) }
    }

    func firstPage(on host: any PageHost<Outcome>) -> any Page { HousePage(connection, on: host) }

    func go(_ outcome: Outcome, on interface: Interface<Outcome>) { interface.end(outcome) }
}
