import BusdProtocol
import BusdScreens

/// The state of `bus/house`.
struct HouseState {
    let name: String
    /// The daemon of this connection.
    let daemon: String
    /// `following`, or why durable sends are refused.
    let state: String
    let daemons: [BusHouse.Row]

    init(_ event: BusHouse.ViewModelEvent) {
        switch event {
        case .house(let name, let daemon, _, let state, let daemons):
            (self.name, self.daemon, self.state, self.daemons) = (name, daemon, state, daemons)
        }
    }

    /// The state, the head of the table, and a line for each daemon.
    func lines(_ style: TextStyle) -> [String] {
        let rows = daemons.map { row in
            let mark = row.name.isExactly(daemon) ? "*" : " "
            return [
                "\(mark) \(row.name.printable)", row.version.printable, "\(row.position)",
                row.behind == 0 ? "now" : "\(row.behind / 1_000) s ago",
            ]
        }
        return ["\(name.printable): \(state.printable)"]
            + Table(head: ["  DAEMON", "VERSION", "POSITION", "SEEN"], rows: rows, numbers: [2])
            .lines(style)
    }
}
