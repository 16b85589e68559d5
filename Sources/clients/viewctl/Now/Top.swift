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
