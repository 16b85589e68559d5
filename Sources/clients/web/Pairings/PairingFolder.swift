import BusdFiles
import BusdOptions
import Glibc

/// The folder with everything that outlives the process: the pairings, and the note of the server.
struct PairingFolder: Equatable {
    static let option = Option(
        "state", argument: "DIR",
        "the folder of the pairings (default: $STATE_DIRECTORY, else \(ofMachine) for root and the "
            + "user \(systemUser), else $XDG_STATE_HOME/busd-web, else ~/.local/state/busd-web)")

    static let environment = (
        name: "STATE_DIRECTORY, XDG_STATE_HOME, HOME",
        text: "determine the default state folder; a relative path counts as unset"
    )

    private static let ofMachine = "/var/lib/busd-web"
    private static let systemUser = "busd-web"

    let path: String

    init(path: String) { self.path = path }

    /// - Parameters:
    ///   - variable: returns the value of an environment variable.
    ///   - isOfMachine: the process runs as root or as the user of the package.
    init(
        _ arguments: Arguments,
        variable: (String) -> String? = { getenv($0).map { String(cString: $0) } },
        isOfMachine: Bool = Self.isOfMachine
    ) throws(UsageError) {
        let machine = isOfMachine ? Self.ofMachine : nil
        let found = stateFolder(of: "busd-web", machine: machine, variable)
        guard let path = try arguments.path(Self.option) ?? found else {
            throw arguments.error(
                "name a folder with --state: $HOME is unset or not an absolute path")
        }
        self.path = path
    }

    private static var isOfMachine: Bool {
        geteuid() == 0 || getpwnam(systemUser)?.pointee.pw_uid == geteuid()
    }

    /// For the server, which makes the folder if it is missing.
    func make() throws(StateFault) -> PrivateFolder {
        try PrivateFolder(making: path, mayBeLink: true)
    }

    /// For a verb. `nil`: the folder is missing.
    func open() throws(StateFault) -> PrivateFolder? {
        try PrivateFolder(opening: path, mayBeLink: true)
    }
}
