import BusdClient
import BusdEventLoop
import BusdOptions
import BusdProtocol
import BusdScreens

/// `viewctl top`
struct Top: Command {
    static let name = "top"
    static let verb = Verb(
        name, "show what each connection does now, once per second, the busiest first",
        options: [countOption])

    static let countOption = Option("count", "n", argument: "N", "end after N tables")

    private let count: Int?
    private let isPrinted: Bool
    private let users: UserNames

    init(_ arguments: Arguments) throws(UsageError) {
        count = try arguments.integer(Self.countOption, in: 1...Int.max)
        isPrinted =
            count != nil || arguments.has(CommandSettings.plainOption)
            || arguments.has(CommandSettings.jsonOption)
        users = UserNames(try Viewctl.settings(arguments))
    }

    func run(_ settings: CommandSettings, _ console: Console) throws -> ExitStatus {
        let address = BusConnections.address
        if !isPrinted {
            try LiveTable.show(
                BusConnections.self, at: address, missing: Self.hidden, settings, console
            ) { [users] in
                ConnectionsTable.draw($0.map { ConnectionsTable($0, users) }, $1, on: &$2, in: $3)
            }
        }
        var isFirst = true
        let session = try settings.session(name: "viewctl", else: .total(.zero))
        let run = LiveView<BusConnections>(address, in: session, count: count) {
            event, isSnapshot in
            // A snapshot is of a part of a second.
            guard !isSnapshot else { return }
            let table = ConnectionsTable(event, users)
            console.put(json: [table.json[...]], settings.form) {
                (isFirst ? [] : [""]) + table.lines($0)
            }
            isFirst = false
        }
        return try run.run(console, missing: Self.hidden)
    }

    static let hidden = "bus/connections is not there: a policy may hide it"
}
