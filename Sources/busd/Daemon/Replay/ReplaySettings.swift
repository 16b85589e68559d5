import BusdOptions
import BusdProtocol
import BusdStorage

/// Settings of a replay: `--replay`, `--at`, `--speed` and `--history`.
struct ReplaySettings {
    let path: String
    /// The file that was opened before.
    private(set) var file: ReplayFile?
    /// `nil`: the first entry.
    private(set) var position: ReplayPosition?
    let speed: Double
    /// It stands until `bus/clock` moves it.
    private(set) var isPaused: Bool
    /// The address of `--history`; `nil`: the replay is served.
    let history: Address?

    /// `nil` without `--replay`.
    init?(
        _ arguments: Arguments, _ options: DaemonOptions, isClockManual: Bool
    ) throws(UsageError) {
        guard let path = try arguments.path(options.replay) else {
            for option in [options.at, options.speed, options.history] where arguments.has(option) {
                throw arguments.error("--\(option.name) needs --replay")
            }
            return nil
        }
        let others = [
            options.state, options.durability, options.historySize, options.house, options.log,
            options.logCredentials, options.member,
        ]
        for option in others where arguments.has(option) {
            throw arguments.error("--\(option.name) cannot be combined with --replay")
        }
        self.path = path
        position = try arguments.value(options.at, ReplayPosition.forms) { ReplayPosition($0) }
        history = try arguments.value(options.history, "an address such as scoreboard/1") {
            Address($0)
        }
        speed =
            try arguments.value(options.speed, "a number from 0.01 to 1000") {
                Double($0).flatMap { 0.01...1000 ~= $0 ? $0 : nil }
            } ?? 1
        isPaused = isClockManual
        guard history == nil else {
            for option in [options.at, options.speed, options.clock] where arguments.has(option) {
                throw arguments.error("--\(option.name) cannot be combined with --history")
            }
            // Each entry is applied by hand, from the first on.
            (position, isPaused) = (.entry(0), true)
            return
        }
    }

    /// The same replay, of the same file, from another position on.
    func from(_ position: ReplayPosition, isPaused: Bool, _ file: ReplayFile) -> Self {
        var other = self
        (other.position, other.isPaused, other.file) = (position, isPaused, file)
        other.file?.rewind()
        return other
    }
}
