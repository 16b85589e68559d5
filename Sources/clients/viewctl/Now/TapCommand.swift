import BusdClient
import BusdEventLoop
import BusdOptions
import BusdProtocol
import BusdScreens
import Glibc

/// `viewctl tap`
struct TapCommand: Command {
    static let name = "tap"
    static let verb = Verb(
        name, "print each send of all clients, without its payload; for the administrator")

    private let users: UserNames

    init(_ arguments: Arguments) throws(UsageError) {
        users = UserNames(try Viewctl.settings(arguments))
    }

    func run(_ settings: CommandSettings, _ console: Console) throws -> ExitStatus {
        var text = TapText(users)
        let session = try settings.session(name: "viewctl", else: .total(.zero))
        let run = LiveView<BusTap>(BusTap.address, in: session) { event, _ in
            console.put(json: text.json(event).map { $0[...] }, settings.form) {
                text.lines(event, at: time(nil), $0)
            }
        }
        run.onConnected = { text.restart() }
        return try run.run(console, missing: Self.remedy)
    }

    private static let remedy =
        "only root and the daemon's own user may watch sends, through the control socket"
}

/// The events of `bus/tap` as lines.
struct TapText {
    private let users: UserNames
    /// The totals of the sends that were printed or counted; `nil`: no totals have come yet.
    private var counted: Int?
    /// Of the columns, as far as they were needed.
    private var widths = [Int](repeating: 0, count: 5)

    init(_ users: UserNames) { self.users = users }

    /// The next totals are those of another connection.
    mutating func restart() { counted = nil }

    /// - Parameter seconds: since 1970 (UTC).
    mutating func lines(
        _ event: BusTap.ViewModelEvent, at seconds: Int, _ style: TextStyle
    ) -> [String] {
        let time = style.dim(LocalTime(seconds: seconds).timeWithSeconds)
        let more = newOthers(event)
        return rows(of: event).map { "\(time)  \(line(of: $0, style))" }
            + (more > 0 ? ["\(time)  " + style.dim("and \(more) more")] : [])
    }

    private mutating func line(of row: BusTap.Row, _ style: TextStyle) -> String {
        let cells = [
            users.name(of: row.uid), row.name ?? "-", row.to, row.event ?? "-", row.outcome,
        ].map(\.printable)
        let padded = cells.enumerated().map { column, cell in
            widths[column] = max(widths[column], cell.count)
            let text = column == 2 ? style.address(cell) : cell
            return text + cell.padded(to: widths[column]).dropFirst(cell.count)
        }
        return padded.joined(separator: "  ") + "  \(row.microseconds) us"
    }

    mutating func json(_ event: BusTap.ViewModelEvent) -> [[UInt8]] {
        let more = newOthers(event)
        var out = JSONWriter()
        out.object { out in out.member("others", more) }
        return rows(of: event).map(json) + (more > 0 ? [out.bytes] : [])
    }

    private func rows(of event: BusTap.ViewModelEvent) -> [BusTap.Row] {
        if case .sends(let sends) = event { sends } else { [] }
    }

    private func json(_ row: BusTap.Row) -> [UInt8] {
        var out = JSONWriter()
        out.object { out in
            users.write(row.uid, row.connection, row.name, to: &out)
            out.member("to", row.to)
            if let event = row.event { out.member("event", event) }
            out.member("outcome", row.outcome)
            out.member("microseconds", row.microseconds)
        }
        return out.bytes
    }

    /// The number of sends that were not printed since the last totals, also those that a slow
    /// reader has missed.
    private mutating func newOthers(_ event: BusTap.ViewModelEvent) -> Int {
        switch event {
        case .sends(let sends):
            counted = counted.map { $0 + sends.count }
            return 0
        case .totals(let shown, let others):
            let total = shown + others
            defer { counted = total }
            return counted.map { total - $0 } ?? 0
        }
    }
}
