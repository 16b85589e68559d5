import BusdClient
import BusdOptions
import BusdProtocol

/// `viewctl house`
struct HouseTable: Question {
    static let name = "house"
    static let verb = Verb(
        name, "show the daemons of the house (several machines, one log) that this busd is in")

    let request = BusRequest.get(BusHouse.address)
    private let isPrinted: Bool

    init(_ arguments: Arguments) {
        isPrinted = arguments.has(Settings.plainOption) || arguments.has(Settings.jsonOption)
    }

    func run(_ settings: Settings, _ console: Console) -> ExitStatus {
        if !isPrinted,
            let status = LiveTable.show(settings, console, { HousePage($0, on: $1) })
        {
            return status
        }
        return ask(settings, console)
    }

    func explain(_ error: WireError) -> String {
        error.code == .unknownViewModel ? "viewctl: \(Self.noHouse)" : refusal(error)
    }

    static let noHouse =
        "this busd is not in a house: start it with --house and --log, as busd(8) explains"

    func show(_ answer: Answer, _ form: Form, _ console: Console) {
        guard let event = answer.value["events"]?.elements.first(where: { _ in true }),
            let house = event["house"]
        else { return }
        show(house, form, console) { style in
            let known = try? event.decode(BusHouse.ViewModelEvent.self, at: "event")
            return known.map { HouseState($0).lines(style) } ?? []
        }
    }
}
