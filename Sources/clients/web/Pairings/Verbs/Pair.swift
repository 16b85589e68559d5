import BusdOptions
import BusdProtocol

/// `busd-web pair --to PATTERN --for TIME --as NAME`
struct Pair: PairingVerb {
    static let name = "pair"

    private static let toOption = Option(
        "to", argument: "PATTERN", "the view models that the phone may send to")
    private static let forOption = Option(
        "for", argument: "TIME", "how long: minutes, hours or days, from 1m to 30d, such as 3h")
    private static let asOption = Option(
        "as", argument: "NAME", "the name of the phone in viewctl who and in histories")
    private static let noQR = Option("no-qr", nil, "print no QR code")

    /// - Parameter purpose: what phones can do.
    static func verb(for purpose: String) -> Verb {
        Verb(
            name, "print a link with which one phone can \(purpose)",
            options: [toOption, forOption, asOption, noQR])
    }

    private let to: Pattern
    private let lasting: Span
    private let phone: String
    private let purpose: String
    private let terminal: OutputTerminal?

    /// - Parameters:
    ///   - purpose: what phones can do.
    ///   - terminal: `nil`: only the URL is printed to standard output.
    init(
        _ arguments: Arguments, purpose: String, terminal: OutputTerminal? = .ofProcess
    ) throws(UsageError) {
        let option = [Self.toOption, Self.forOption, Self.asOption].first { !arguments.has($0) }
        if let option { throw arguments.error("missing --\(option.name)") }
        guard
            let to = try arguments.value(
                Self.toOption, "an address or a pattern, such as scoreboard/1/**", { Pattern($0) }),
            let lasting = try arguments.value(Self.forOption, Span.wanted, { Span($0) }),
            let phone = arguments[Self.asOption]
        else { throw arguments.error("missing argument") }
        if let problem = Pairing.problem(of: to) { throw arguments.error("--to: \(problem)") }
        if let problem = Pairing.problem(ofName: phone) {
            throw arguments.error("--as: \(problem)")
        }
        (self.to, self.lasting, self.phone, self.purpose) = (to, lasting, phone, purpose)
        self.terminal = arguments.has(Self.noQR) ? nil : terminal
    }

    func run(in state: PairingFolder, now: Int) -> Report {
        do throws(StateFault) {
            let server = try pairingServer(of: state)
            let (pairing, link) = try PairingStore(in: state).create(
                to: to, name: phone, lasting: lasting.seconds, now: now)
            return report(pairing, link, of: server, now)
        } catch {
            return Report(error)
        }
    }

    private func pairingServer(of state: PairingFolder) throws(StateFault) -> ServerNote {
        guard let folder = try state.open(), let server = try ServerNote(in: folder) else {
            throw StateFault(
                "no busd-web runs with the state folder \(state.path): start busd-web with "
                    + "--control, or name the folder of a running one with --state")
        }
        guard server.pairsPhones else {
            throw StateFault(
                "busd-web runs without --control (process \(server.process)), so phones cannot "
                    + "\(purpose): start it again with --control")
        }
        return server
    }

    private func report(
        _ pairing: Pairing, _ link: PairingToken, of server: ServerNote, _ now: Int
    ) -> Report {
        var report = Report()
        let url = "\(server.url)/pair#\(link.text)"
        report.output = [url]
        if let terminal, terminal.isUTF8, let code = QRCode(url) {
            if code.columns <= terminal.columns {
                report.output += [""] + code.lines(isColoured: terminal.isColoured) + [""]
            } else {
                report.notes.append("The terminal is too narrow for the QR code.")
            }
        }
        let present = LocalTime(seconds: now)
        let ends = LocalTime(seconds: pairing.ends).short(at: present)
        let linkEnds = LocalTime(seconds: pairing.linkEnds).short(at: present)
        report.notes += [
            "\(pairing.name.printable) may send to \(pairing.to) until \(ends).",
            "The link works once, and until \(linkEnds). "
                + "To end the pairing: busd-web unpair \(pairing.id)",
        ]
        if server.isLoopback {
            report.notes.append(
                "Only this machine can open the link: for phones, start busd-web with --listen "
                    + "and --name.")
        }
        return report
    }
}
