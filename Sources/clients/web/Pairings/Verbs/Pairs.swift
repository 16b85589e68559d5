import BusdOptions
import BusdProtocol

/// `busd-web pairs`
struct Pairs: PairingVerb {
    static let name = "pairs"
    private static let json = Option("json", "j", "JSON lines")

    static let verb = Verb(
        name, "list the pairings", options: [json])

    private let isJSON: Bool

    init(_ arguments: Arguments) throws(UsageError) { isJSON = arguments.has(Self.json) }

    func run(in state: PairingFolder, now: Int) -> Report {
        var report = Report()
        do throws(StateFault) {
            guard try state.open() != nil else { return report }
            let listing = try PairingStore(in: state).all(now: now)
            report.output =
                isJSON
                ? listing.pairings.map { Self.json($0, now) } : Self.table(listing.pairings, now)
            for damaged in listing.damaged {
                report.fail(
                    "\(damaged.reason): remove it with busd-web unpair \(damaged.id)", .badInput)
            }
        } catch {
            return Report(error)
        }
        return report
    }

    private static func json(_ pairing: Pairing, _ now: Int) -> String {
        var out = JSONWriter()
        out.object { out in
            out.member("id", pairing.id.description)
            out.member("name", pairing.name)
            out.member("to", pairing.to.text)
            out.member("made", pairing.made)
            out.member("until", pairing.ends)
            out.member("link", pairing.linkState(at: now).rawValue)
        }
        return String(decoding: printable(json: out.bytes[...]), as: UTF8.self)
    }

    /// Columns with two spaces between them. Without pairings, there are no lines.
    private static func table(_ pairings: [Pairing], _ now: Int) -> [String] {
        if pairings.isEmpty { return [] }
        let rows = pairings.map { pairing in
            [
                pairing.id.description, pairing.name.printable, pairing.to.text,
                LocalTime(seconds: pairing.ends).short(at: LocalTime(seconds: now)),
                pairing.linkState(at: now).rawValue,
            ]
        }
        let all = [["ID", "NAME", "TO", "UNTIL", "LINK"]] + rows
        let last = all[0].count - 1
        let widths = (0..<last).map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            return (cells + [row[last]]).joined(separator: "  ")
        }
    }
}
