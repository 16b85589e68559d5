import BusdProtocol
import BusdScreens
import BusdTerminal

/// The value of `bus/connections`.
struct ConnectionsTable {
    let rows: [BusConnections.Row]
    let omitted: Int
    private let milliseconds: Int
    private let users: UserNames

    init(_ event: BusConnections.ViewModelEvent, _ users: UserNames) {
        self.users = users
        switch event {
        case .connections(let milliseconds, let rows, let omitted):
            (self.milliseconds, self.rows, self.omitted) = (milliseconds, rows, omitted ?? 0)
        }
    }

    /// - Parameter table: nil: the daemon has not sent it.
    static func draw(_ table: Self?, _ isLive: Bool, on frame: inout Frame, in area: Area) {
        guard let table else { return TablePicture.drawWaiting(on: &frame, in: area) }
        let lines = table.lines(TextStyle(isColoured: false))
        let rows = zip(lines.dropFirst(2), table.rows).map { line, row in
            (line: line, style: row.backlog > 0 ? Style(.notice) : Style.plain)
        }
        TablePicture(
            title: lines[0], titleStyle: .bold, head: lines[1], rows: rows,
            omitted: table.omitted, isLive: isLive
        ).draw(on: &frame, in: area)
    }

    /// The counts, the head of the table, and a line for each row.
    func lines(_ style: TextStyle) -> [String] {
        let cells = rows.map { row in
            [
                "\(row.pid)", users.name(of: row.uid).printable, Self.short(row.sends),
                Self.short(row.received), Self.short(row.written), Self.short(row.backlog),
                row.oldest == 0 ? "" : "\(row.oldest) ms", Self.short(row.missed),
                "\(row.share)%", (row.name ?? "").printable,
            ]
        }
        let head = [
            "PID", "USER", "SENDS", "IN", "OUT", "BACKLOG", "OLDEST", "MISSED", "LOOP", "CLIENT",
        ]
        let table = Table(head: head, rows: cells, numbers: [0, 2, 3, 4, 5, 6, 7, 8])
        return [title] + table.lines(style)
    }

    private var title: String {
        let count = rows.count + omitted
        let noun = count == 1 ? "connection" : "connections"
        let rest = omitted > 0 ? ", \(omitted) of them left out" : ""
        return "\(count) \(noun)\(rest)"
    }

    /// A number in at most five columns: `12k` is 12,000 to 12,999.
    private static func short(_ number: Int) -> String {
        var (number, units) = (number, ["", "k", "M", "G", "T"][...])
        while number >= 10_000, units.count > 1 {
            number /= 1_000
            units.removeFirst()
        }
        return "\(number)\(units.first ?? "")"
    }

    var json: [UInt8] {
        var out = JSONWriter()
        out.object { out in
            out.member("milliseconds", milliseconds)
            out.key("connections")
            out.list { out in for row in rows { write(row, to: &out) } }
            out.member("omitted", omitted)
        }
        return out.bytes
    }

    private func write(_ row: BusConnections.Row, to out: inout JSONWriter) {
        out.object { out in
            users.write(row.uid, row.connection, row.name, to: &out)
            out.member("access", row.access)
            out.member("pid", row.pid)
            out.member("sends", row.sends)
            out.member("received", row.received)
            out.member("written", row.written)
            out.member("backlog", row.backlog)
            out.member("oldest", row.oldest)
            out.member("missed", row.missed)
            out.member("share", row.share)
        }
    }
}
