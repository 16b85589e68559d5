import BusdFiles
import BusdOptions
import Glibc

/// The verbs for pairings.
struct PairingVerbs {
    /// What phones can do.
    let purpose: String

    var all: [Verb] { [Pair.verb(for: purpose), Pairs.verb, Unpair.verb] }

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
    func run(_ arguments: Arguments) throws -> Report? {
        guard let verb = try verb(arguments) else { return nil }
        let state = try PairingFolder(arguments)
        return try FolderOwner(of: state.path, "busd-web").act {
            verb.run(in: state, now: time(nil))
        }
    }

    private func verb(_ arguments: Arguments) throws(UsageError) -> (any PairingVerb)? {
        switch arguments.verb {
        case Pair.name: try Pair(arguments, purpose: purpose)
        case Pairs.name: try Pairs(arguments)
        case Unpair.name: try Unpair(arguments)
        default: nil
        }
    }
}

protocol PairingVerb {
    /// - Parameter now: seconds since 1970 (UTC).
    func run(in state: PairingFolder, now: Int) -> Report
}
