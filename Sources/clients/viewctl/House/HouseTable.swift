import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens

/// `viewctl house`
struct HouseTable: Question {
    static let name = "house"
    static let verb = Verb(
        name, "show the daemons of the house (several machines, one log) that this busd is in")

    let request = BusRequest.get(BusHouse.address)
    private let isPrinted: Bool

    init(_ arguments: Arguments) {
        isPrinted =
            arguments.has(CommandSettings.plainOption) || arguments.has(CommandSettings.jsonOption)
    }

    func run(_ settings: CommandSettings, _ console: Console) throws -> ExitStatus {
        if !isPrinted {
            try LiveTable.show(
                BusHouse.self, at: BusHouse.address, missing: Self.noHouse, settings, console
            ) {
                HousePicture(house: $0.map(HouseState.init), isLive: $1).draw(on: &$2, in: $3)
            }
        }
        let session = try settings.session(else: .total(.seconds(5)))
        return try printOnce(session, settings.form, console)
    }

    func printOnce(_ session: Session, _ form: OutputForm, _ console: Console) throws -> ExitStatus
    {
        do {
            return try ask(session, form, console)
        } catch RequestFailure.refused(let error) {
            throw Outcome.refusal(error, missing: Self.noHouse)
        }
    }

    static let noHouse =
        "this daemon is not in a house: start it with --house and --log, as busd(8) explains"

    func show(_ answer: Answer, _ form: OutputForm, _ console: Console) {
        guard let event = answer.value["events"]?.elements.first(where: { _ in true }),
            let house = event["house"]
        else { return }
        console.put(house, form) { style in
            let known = try? event.decode(BusHouse.ViewModelEvent.self, at: "event")
            return known.map { HouseState($0).lines(style) } ?? []
        }
    }
}
