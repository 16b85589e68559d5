import BusdEventLoop
import BusdOptions
import Glibc

/// The folder with everything that outlives the process: the pairings, and the note of the server.
struct StateFolder: Equatable {
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
        // A relative path would depend on the working folder; the XDG specification ignores it.
        func folder(_ name: String) -> String? {
            variable(name).flatMap { $0.utf8.first == UInt8(ascii: "/") ? $0 : nil }
        }
        if let path = try arguments.path(Self.option) {
            self.path = path
        } else if let folders = folder("STATE_DIRECTORY")?.utf8,
            let first = folders.split(separator: UInt8(ascii: ":")).first
        {
            // systemd may name several folders.
            path = String(Substring(first))
        } else if isOfMachine {
            path = Self.ofMachine
        } else if let states = folder("XDG_STATE_HOME") {
            path = "\(states)/busd-web"
        } else if let home = folder("HOME") {
            path = "\(home)/.local/state/busd-web"
        } else {
            throw arguments.error(
                "name a folder with --state: $HOME is unset or not an absolute path")
        }
    }

    private static var isOfMachine: Bool {
        geteuid() == 0 || getpwnam(systemUser)?.pointee.pw_uid == geteuid()
    }

    /// For the server, which makes the folder if it is missing.
    func make() throws(StateFault) -> PrivateFolder {
        try PrivateFolder(making: path, mayBeLink: true)
    }

    /// For a verb. `nil`: the folder is missing.
    ///
    /// If root runs the verb, the process becomes the owner of the folder, for good. Otherwise it
    /// would make files that the server cannot read, and a link could lead it anywhere.
    func open() throws(StateFault) -> PrivateFolder? {
        var about = stat()
        if geteuid() == 0, stat(path, &about) == 0, about.st_uid != 0 {
            try become(about.st_uid, else: about.st_gid)
        }
        return try PrivateFolder(opening: path, mayBeLink: true)
    }

    private func become(_ user: uid_t, else group: gid_t) throws(StateFault) {
        let entry = getpwuid(user)?.pointee
        let group = entry?.pw_gid ?? group
        let hasGroups = entry.map { initgroups($0.pw_name, group) } ?? setgroups(0, nil)
        guard hasGroups == 0, setgid(group) == 0, setuid(user) == 0 else {
            throw StateFault("\(path): cannot act as its owner, user \(user): run busd-web as it")
        }
    }
}
