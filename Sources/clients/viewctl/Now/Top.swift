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
        options: [countOption],
        details: """
            On a terminal the table is live, until q or Ctrl-C. In a pipe, and with --count,
            --plain or --json, a table is printed each second.
            SENDS, IN and OUT are requests and bytes of the last second. BACKLOG is the bytes
            that wait for the client to read, and OLDEST the age of the oldest waiting event.
            MISSED counts the events that the client was too slow for.
            LOOP is the part of the second that busd worked for the connection.
            At most 200 connections are shown; the others are counted.
            Through ssh, a user is shown by its number.
            """)

    static let countOption = Option("count", "n", argument: "N", "end after N tables")

    private let count: Int?
    private let isPrinted: Bool
    private let users: UserNames

    init(_ arguments: Arguments) throws(UsageError) {
        count = try arguments.integer(Self.countOption, in: 1...Int.max)
        isPrinted =
            count != nil || arguments.has(Settings.plainOption)
            || arguments.has(Settings.jsonOption)
        users = UserNames(try Settings(arguments))
    }

    func run(_ settings: Settings, _ console: Console) -> ExitStatus {
        if !isPrinted,
            let status = LiveTable.show(settings, console, { TopPage($0, on: $1, users) })
        {
            return status
        }
        do throws(LoopFailure) {
            var isFirst = true
            let run = Following<BusConnections>(
                BusConnections.address, on: try settings.connection(name: "viewctl"), console,
                count: count
            ) { event, isSnapshot in
                // A snapshot is of a part of a second.
                guard !isSnapshot else { return }
                let table = ConnectionsTable(event, users)
                switch settings.form {
                case .json: console.put(json: table.json[...])
                case .text(let style):
                    console.put(lines: (isFirst ? [] : [""]) + table.lines(style))
                }
                isFirst = false
            }
            return run.run(within: settings.timeout ?? .zero) {
                $0.code == .unknownViewModel ? "viewctl: \(Self.tooOld)" : refusal($0)
            }
        } catch {
            console.writeError("viewctl: \(error)")
            return .noConnection
        }
    }

    static let tooOld = "this busd is older than viewctl, and has no bus/connections"
}
