import BusdDaemon
import TimerViewModels

@main enum Timerd {
    static func main() {
        BusDaemon(name: "timerd", version: "1.0", summary: "Counts down.").run { host in
            host.register(TimerViewModel.self, services: Services(clock: host.clock))
        }
    }
}

/// The services of the view models.
private struct Services: HasClock, HasChime {
    let clock: any Clock
    let chime: any Chime = PrintedChime()
}

private final class PrintedChime: Chime {
    func ring(for timer: Address) { print("\(timer) rings") }
}
