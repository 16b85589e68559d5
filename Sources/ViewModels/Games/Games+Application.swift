public import BusdHosting
import BusdProtocol

extension Application {
    /// Games of basketball with their clocks, teams and plays.
    public static let games = Application { host in
        let services = GamesServices(host: host, games: Library(host.libraries))
        host.register(GamesViewModel.self, services: services)
        host.register(GameCreatorViewModel.self, services: services)
        host.register(ScoreboardViewModel.self, services: services)
        host.register(PlayerViewModel.self, services: services)
        host.register(PlaysViewModel.self, services: services)
        host.whenRestarted { services.pauseRunning(asOf: $0) }
    }
}

private struct GamesServices: HasHost, HasGames {
    let host: Host
    let games: Library<Game>

    /// While the daemon was away, nobody could stop a clock.
    func pauseRunning(asOf instant: Instant) { games.pauseRunning(asOf: instant, clock, wallClock) }
}
