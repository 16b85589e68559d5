import BusdClient
import BusdOptions
import BusdProtocol

/// `viewctl house`
struct HouseTable: Question {
    static let name = "house"
    static let verb = Verb(
        name, "list the daemons of the house of several machines that the daemon is in",
        details: """
            POSITION is the newest entry of the log that a daemon has.
            SEEN is the time since a daemon was heard, if it is not heard now.
            To follow the table, use
            .BR "viewctl watch bus/house" .
            """)

    let request = BusRequest.get(.literal("bus/house"))

    init(_ arguments: Arguments) {}

    func show(_ answer: Answer, _ form: Form, _ paper: Paper) {
        guard let house = answer.value["events"]?.elements.first(where: { _ in true })?["house"]
        else { return }
        show(house, form, paper) { Self.text(house, $0) }
    }

    static func text(_ house: JSONValue, _ ink: Ink) -> [String] {
        let daemons = house["daemons"].map { Array($0.elements) } ?? []
        let own = house["daemon"]?.text ?? ""
        let rows = daemons.map { daemon in
            let name = daemon["name"]?.text ?? ""
            let behind = daemon["behind"]?.integer ?? 0
            return [
                name.utf8.elementsEqual(own.utf8) ? "* \(name.printable)" : "  \(name.printable)",
                daemon["version"]?.text?.printable ?? "", "\(daemon["position"]?.integer ?? 0)",
                behind == 0 ? "now" : "\(behind / 1_000) s ago",
            ]
        }
        let state = house["state"]?.text?.printable ?? ""
        return ["\(house["name"]?.text?.printable ?? ""): \(state)"]
            + Table(head: ["  DAEMON", "VERSION", "POSITION", "SEEN"], rows: rows, numbers: [2])
            .lines(ink)
    }
}
