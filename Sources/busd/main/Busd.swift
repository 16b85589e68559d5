import Daemon
import Hosting
import Protocol
import ViewModels

@main enum Busd {
    static func main() {
        BusDaemon(
            name: "busd", version: Version.text,
            summary: "Hosts view models; views attach through a Unix socket."
        ).runKeepingGames { host, state in
            let services = Services(host, games: try state.openGames())
            host.register(GamesViewModel.self, services: services)
            host.register(GameCreatorViewModel.self, services: services)
            host.register(ScoreboardViewModel.self, services: services)
            host.register(PlayerViewModel.self, services: services)
            host.register(EchoViewModel.self)
        }
    }
}

/// Everything that the view models need from the world.
struct Services: HasGames, HasClock, HasDirectory {
    let games: any GamesService
    let clock: any Clock
    let directory: any Directory

    init(_ host: Host, games: any GamesService) {
        self.games = games
        clock = host.clock
        directory = host
    }
}
