import BusdOptions

/// `busd-web unpair ID...`
struct Unpair: PairingVerb {
    static let name = "unpair"
    private static let all = Option("all", nil, "end all pairings")

    static let verb = Verb(
        name, "end pairings at once, while busd-web runs or not", options: [all],
        operands: [Operand("ID", .any)])

    /// `nil`: all of them.
    private let ids: [String]?

    init(_ arguments: Arguments) throws(UsageError) {
        ids = arguments.has(Self.all) ? nil : arguments.operands
        guard arguments.has(Self.all) == arguments.operands.isEmpty else {
            throw arguments.error("name the ids of pairings, or use --all")
        }
    }

    func run(in state: PairingFolder, now: Int) -> Report {
        var report = Report()
        let store = PairingStore(in: state)
        do throws(StateFault) {
            _ = try state.open()
            if let ids {
                for id in ids { end(id, in: store, &report) }
            } else {
                for id in try store.ids() { end("\(id)", in: store, &report) }
            }
        } catch {
            report.fail(error.description, error.status)
        }
        return report
    }

    private func end(_ text: String, in store: PairingStore, _ report: inout Report) {
        do throws(StateFault) {
            if let id = PairingID(text), try store.end(id) { return }
            report.fail("there is no pairing '\(text)'")
        } catch {
            report.fail(error.description, error.status)
        }
    }
}
