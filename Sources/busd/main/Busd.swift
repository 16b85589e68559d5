import BusdDaemon
import BusdHosting
import BusdKinds
import BusdProtocol
import BusdViewModels

@main enum Busd {
    static func main() {
        BusDaemon(
            name: "busd", version: Version.text,
            summary: "Hosts view models; views attach through a Unix socket."
        ).runKeepingGames { host, state in
            let users = Library<User>(host.libraries)
            let services = BundledServices(
                host, passwords: state.openPasswords(of: users, clock: host.clock),
                reference: host)
            let (games, clock, wallClock) = (services.games, services.clock, services.wallClock)
            state.whenRestarted { games.pauseRunning(asOf: $0, clock, wallClock) }
            host.registerBundledKinds(services)
        }
    }
}
