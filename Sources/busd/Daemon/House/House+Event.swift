import BusdBroker
import BusdHosting
import BusdProtocol
import BusdRedisLog

extension House {
    /// The event of `bus/house`. Daemons without a heartbeat in the last minute are left out.
    var event: BusHouse.ViewModelEvent {
        let table = log.table
        let recent = table.rows.filter { table.isSelf($0) || table.isRecent($0) }
        return .house(
            name: name, daemon: settings.member, position: log.position,
            state: log.problem ?? "following",
            daemons: recent.map { row in
                BusHouse.Row(
                    name: row.name, version: row.version, position: row.position,
                    behind: table.isAlive(row) ? 0 : table.millisecondsSince(row),
                    since: Int(widening: row.since.microseconds / 1_000_000))
            })
    }

    /// Why a thing that is not known here may be in the house: the house is not followed. `nil`: it
    /// is followed, or no thing can have this address.
    func reasonForUnknown(about address: Address, _ host: Host) -> WireError? {
        guard let problem = log.problem, let name = address.segments.first,
            let kind = host.kinds.find(String(name)), host.kinds[kind].traits.contains(.durable)
        else { return nil }
        return WireError(
            .unavailable,
            "\(address) is not known here, and the house is not followed: \(problem)")
    }
}
