import BusdFiles
import BusdOptions
import Glibc

/// The verbs for pairings.
enum PairingVerbs {
    private static var all: [any PairingVerb.Type] { [Pair.self, Pairs.self, Unpair.self] }

    static var verbs: [Verb] { all.map { $0.verb } }

    static let statuses: [ExitStatus.Meaning] = [
        (.badInput, "pairs: the file of a pairing is damaged; standard error has its path"),
        (.tryAgain, "busd-web is just starting, or another one uses the state folder"),
    ]

    static let environment = [
        PairingFolder.environment,
        (name: "NO_COLOR, TERM", text: "no colour, if NO_COLOR is not empty or TERM is dumb"),
    ]

    static let examples = [
        "busd-web pair --to 'scoreboard/1/**' --for 3h --as Ann",
        "busd-web pairs",
        "busd-web unpair k3m9ax",
    ]

    /// `nil`: the command line has none of these verbs.
    ///
    /// If root runs a verb, it acts as the owner of the state folder.
    static func run(_ arguments: Arguments) throws -> Report? {
        guard let type = all.first(where: { $0.name == arguments.verb }) else { return nil }
        let verb = try type.init(arguments)
        let state = try PairingFolder(arguments)
        return try FolderOwner(of: state.path, "busd-web").act {
            verb.run(in: state, now: time(nil))
        }
    }
}

protocol PairingVerb {
    static var name: String { get }
    static var verb: Verb { get }

    /// Reads the arguments. Does nothing else yet.
    init(_ arguments: Arguments) throws(UsageError)

    /// - Parameter now: seconds since 1970 (UTC).
    func run(in state: PairingFolder, now: Int) -> Report
}
