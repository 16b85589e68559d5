import BusdEventLoop
import BusdFiles
import BusdOptions
import BusdProtocol
import BusdStorage
import Glibc

/// The verbs of a daemon for its store: `check`, `backup FILE`, `restore FILE`, `user` and `house`;
/// and `policy`.
struct Maintenance {
    /// - Parameter hasUsers: whether users can sign in.
    static func verbs(hasUsers: Bool) -> [Verb] {
        allVerbs.filter { hasUsers || $0.name != "user" }
    }

    private static let allVerbs = [
        Verb("check", "verify the store of a daemon that is not running"),
        Verb(
            "backup", "write a consistent copy of the store, even while the daemon runs",
            operands: [Operand("FILE")]),
        Verb(
            "restore",
            "replace the store with a backup, even while the daemon runs, which then starts "
                + "again; what was there is kept",
            operands: [Operand("FILE")]),
        Verb(
            "user",
            "change the users who may sign in (add NAME, remove NAME), or list them, even while "
                + "the daemon runs; add prompts for the new user's password, or reads it from "
                + "standard input",
            operands: [Operand("ACTION"), Operand("NAME", .oneOrNone)]),
        Verb(
            "policy",
            "verify a policy file (check FILE), say what a user may do and which line says so "
                + "(who USER ADDRESS [EVENT]), or make the running daemon read its file again "
                + "(reload)",
            operands: [Operand("ACTION"), Operand("WORD", .any)]),
        Verb(
            "house",
            "begin a house with the content of this store (join NAME), leave the house and keep "
                + "the content (leave), begin the house again with this store (restore), say "
                + "whether the house is followed, and what to do (status), list the houses of a "
                + "Redis (list), or remove a house from it (remove NAME)",
            options: [Confirmation.option],
            operands: [Operand("ACTION"), Operand("NAME", .oneOrNone)]),
    ]

    static let statuses: [ExitStatus.Meaning] = [
        (.done, "a planned stop, or the verb is done"),
        (
            .failed,
            "the daemon could not start, or the verb failed; standard error has the path and "
                + "the reason"
        ),
        (.usage, ExitStatus.usage.meaning),
        (
            .badInput,
            "check, backup: the store is damaged; policy check: the file has faults; standard "
                + "output has the findings"
        ),
        (.outputFailed, ExitStatus.outputFailed.meaning),
        (.tryAgain, "check: a daemon uses the store"),
    ]

    static func examples(of daemon: DaemonName, hasUsers: Bool) -> [String] {
        [
            "\(daemon) --socket /tmp/mine/\(daemon).sock --state :memory: &",
            "echo list | socat -t60 - UNIX-CONNECT:/tmp/mine/\(daemon).sock",
            "sudo \(daemon) " + (hasUsers ? "user add ann" : "backup today.sqlite"),
        ]
    }

    static func environment(of daemon: DaemonName) -> [(name: String, text: String)] {
        let text = "the socket of the daemon, for the verbs"
        return [(name: daemon.socketVariable, text: text)]
    }

    /// The path at which a copy is made, before it is moved to its target.
    static func copy(in folder: String) -> String { "\(folder)/backup.sqlite" }

    let daemon: StoreDaemon
    let folder: String
    let owner: FolderOwner
    /// Milliseconds that a daemon may take for a request.
    let timeout: Int32

    init(_ settings: Settings, timeout: Int32 = 60_000) throws {
        let system = settings.namesState ? nil : settings.systemState
        guard let folder = try system ?? settings.state.path else {
            throw StartError(":memory: has no store: name a folder with --state")
        }
        self.init(settings, folder: folder, timeout: timeout)
    }

    init(_ settings: Settings, folder: String, timeout: Int32 = 60_000) {
        daemon = settings.storeDaemon
        (self.folder, self.timeout) = (folder, timeout)
        owner = FolderOwner(of: folder, daemon.name.text)
    }

    static func warn(_ text: String) {
        let line = Array("\(text.printableLines)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }

    /// Prints the findings; throws if there are any.
    func check() throws {
        let findings: [String]
        do {
            findings = try owner.act { try Store.check(folder: folder, of: daemon) }
        } catch let error as StoreError {
            if case .inUse = error {
                throw StartError(
                    "\(error): stop the daemon and add --state \(folder), or check a backup",
                    .tryAgain)
            }
            throw StartError("\(error)", error.isDamage ? .badInput : .failed)
        }
        for finding in findings { print(finding.printable) }
        guard findings.isEmpty else {
            throw StartError(
                "\(folder): the store is damaged; a daemon still serves the rest", .badInput)
        }
        print("\(folder): the store is undamaged".printable)
    }

    // MARK: Copies

    /// The copy is made in the folder of the store, by the daemon if it runs, and then moved to
    /// `path`.
    func backUp(to path: String) throws {
        let target = try BackupTarget(path, outside: folder)
        let findings = try unlessServed {
            try copyOffline(to: target)
        } else: { client in
            try copy(by: client, to: target)
        }
        try printOutcome(of: findings, in: path)
    }

    /// Damaged rows are not in the copy, so the store itself is checked. If the store is read-only,
    /// the copy is made in a temporary folder.
    private func copyOffline(to target: BackupTarget) throws -> Result<[String], StoreError> {
        let damage = try owner.act { try Store.check(folder: folder, of: daemon) }
        let temporary = try owner.act {
            try Store.isReadOnly(folder: folder) ? TemporaryFolder() : nil
        }
        defer { if let temporary { try? owner.act { temporary.remove() } } }
        let made = Self.copy(in: temporary?.path ?? folder)
        let lock = try owner.act { try Store.backup(folder: folder, to: made) }
        defer { withExtendedLifetime(lock) {} }
        let findings = try deliver(made, to: target)
        return damage.isEmpty ? findings : .success(damage)
    }

    private func copy(
        by client: ControlClient, to target: BackupTarget
    ) throws -> Result<[String], StoreError> {
        let results = ["backedUp", "failed"]
        let event = try client.send("backUp", to: BusStore.address, awaiting: results)
        if let reason = event["failed"]?["reason"]?.text {
            throw StartError("no copy could be made: \(reason)")
        }
        return try deliver(Self.copy(in: folder), to: target)
    }

    /// Checks the copy, and moves it to the target. If that fails, or if a signal ends the command,
    /// the copy stays in the folder of the store until the next backup replaces it. Returns the
    /// damage found in the copy, or the reason why it could not be checked.
    func deliver(
        _ made: String, to target: BackupTarget
    ) throws -> Result<[String], StoreError> {
        let source = try owner.act { try open(made, .own, else: "move it away") }
        let findings = try owner.act {
            Result { () throws(StoreError) in try Store.check(copy: made, kinds: daemon.kinds) }
        }
        do {
            try target.take(source, at: made)
        } catch {
            throw StartError("\(error); the copy is at \(made)")
        }
        try owner.act { _ = unlink(made) }
        return findings
    }

    /// Opens a regular file for reading.
    func open(
        _ path: String, _ place: FilePlace = .configured, else remedy: String
    ) throws -> Descriptor {
        do {
            return try Descriptor(opening: path, place)
        } catch .notRegular {
            throw StartError("\(path) is not a regular file: \(remedy)")
        } catch {
            throw StartError("\(path): \(error.reason(of: path))")
        }
    }

    /// Prints the outcome, or throws if there are findings.
    private func printOutcome(of findings: Result<[String], StoreError>, in path: String) throws {
        switch findings {
        case .success([]): print("\(path): the copy is complete".printable)
        case .success(let findings):
            let head = "\(path): the copy is written, but the store is damaged:"
            throw StartError(([head] + findings).joined(separator: "\n"), .badInput)
        case .failure(let error):
            print("\(path): the copy is complete, but could not be checked: \(error)".printable)
        }
    }
}
