import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens

/// `viewctl who`
struct Who: Question {
    static let name = "who"
    static let verb = Verb(
        name, "list the connected clients by user, with their subscriptions")

    let request = BusRequest.get(BusViews.address)
    private let users: UserNames

    init(_ arguments: Arguments) throws(UsageError) {
        users = UserNames(try Viewctl.settings(arguments))
    }

    func show(_ answer: Answer, _ form: OutputForm, _ console: Console) {
        let views = answer.value["events"]?.elements.compactMap { $0["views"] }.first
        let rows = views?["views"]?.elements.compactMap {
            try? $0.decode(BusViews.Row.self, at: "")
        }
        let sorted = (rows ?? []).sorted {
            ($0.uid, $0.connection, ExactText($0.to)) < ($1.uid, $1.connection, ExactText($1.to))
        }
        console.put(json: sorted.map { json($0)[...] }, form) { table(sorted, at: .now).lines($0) }
        // A later daemon may have rows that this version cannot read.
        let unread = views.flatMap { $0["views"] }.map { Array($0.elements).count } ?? 0
        let omitted = (views?["omitted"]?.integer ?? 0) + unread - sorted.count
        if omitted > 0 { console.note("\(omitted) more are not listed") }
    }

    func table(_ rows: [BusViews.Row], at now: LocalTime) -> Table {
        let head = ["USER", "CLIENT", "PID", "SINCE", "VIEW", "WATCHES"]
        let cells = rows.map { row in
            let since = row.since.map { LocalTime(seconds: $0).short(at: now) } ?? ""
            return [
                users.name(of: row.uid), row.name ?? "", "\(row.pid)", since, row.as ?? "", row.to,
            ].map(\.printable)
        }
        return Table(head: head, rows: cells, numbers: [2])
    }

    private func json(_ row: BusViews.Row) -> [UInt8] {
        var out = JSONWriter()
        out.object { out in
            users.write(row.uid, row.connection, row.name, to: &out)
            if let view = row.as { out.member("as", view) }
            out.member("to", row.to)
            out.member("access", row.access)
            out.member("pid", row.pid)
            out.member("missed", row.missed)
            if let since = row.since { out.member("since", since) }
        }
        return out.bytes
    }
}
