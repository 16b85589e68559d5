import BusdDaemon
import TimerViewModels

@main enum Timerd {
    static func main() {
        BusDaemon(name: "timerd", version: "1.0", summary: "Counts down.").run { host in
            host.register(TimerViewModel.self, services: Services(clock: host.clock))
        }
    }
}
