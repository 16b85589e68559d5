import BusdClient
import BusdOptions
import BusdProtocol

/// `viewctl who`
struct Who: Question {
    static let name = "who"
    static let verb = Verb(
        name, "list the connected clients by user, with their subscriptions",
        details: "Through ssh, a user is shown by its number.")

    let request = BusRequest.get(BusViews.address)
    private let users: UserNames

    init(_ arguments: Arguments) throws(UsageError) { users = UserNames(try Settings(arguments)) }

    func show(_ answer: Answer, _ form: Form, _ console: Console) {
        let views = answer.value["events"]?.elements.compactMap { $0["views"] }.first
        let rows = views?["views"]?.elements.compactMap {
            try? $0.decode(BusViews.Row.self, at: "")
        }
        let sorted = (rows ?? []).sorted {
            ($0.uid, $0.connection, ExactText($0.to)) < ($1.uid, $1.connection, ExactText($1.to))
        }
        switch form {
        case .json: for row in sorted { console.put(json: json(row)[...]) }
        case .text(let style):
            let head = ["USER", "CLIENT", "PID", "VIEW", "WATCHES"]
            let cells = sorted.map { row in
                [users.name(of: row.uid), row.name ?? "", "\(row.pid)", row.as ?? "", row.to]
                    .map(\.printable)
            }
            console.put(lines: Table(head: head, rows: cells, numbers: [2]).lines(style))
        }
        // A later daemon may have rows that this version cannot read.
        let unread = views.flatMap { $0["views"] }.map { Array($0.elements).count } ?? 0
        let omitted = (views?["omitted"]?.integer ?? 0) + unread - sorted.count
        if omitted > 0 { console.writeError("viewctl: \(omitted) more are not listed") }
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
        }
        return out.bytes
    }
}
