import Glibc
import TestSupport
import Testing

/// Programs that look for the daemon of the machine, at /run/busd/busd.sock.
struct MachineDaemonTests {
    private static let socket = "/run/busd/busd.sock"
    private let folder: Folder
    private let busd: String
    private let viewctl: String

    init() throws {
        folder = try Folder()
        busd = try Products.path("busd")
        viewctl = try Products.path("viewctl")
    }

    private var state: String { folder("state") }
    private func changed(_ line: String, in state: String) -> String {
        "\(line)\nchanged the store in \(state)\n"
    }

    private func serve(_ machine: MachineFixture) throws -> Child {
        let daemon = try machine.start([busd, "--state", state])
        let serving = "busd: serving \(Self.socket) and /run/busd/view.sock"
        try #require(try daemon.errors.line() == serving)
        return daemon
    }

    @Test func `Without a home, the verbs ask the daemon of the machine for its store`() throws {
        guard let machine = try MachineFixture() else { return }
        let daemon = try serve(machine)
        try machine.run(busd, "user", "add", "ann", input: "hush").expect(
            output: changed("ann can sign in", in: state))
        try machine.run(busd, "user", "list").expect(output: "ann\n")
        try machine.run(busd, "backup", folder("copy")).expect(
            output: "\(folder("copy")): the copy is complete\n")
        let refusal = try machine.run(busd, "check")
        refusal.expect(status: 75, errors: refusal.errors)
        #expect(refusal.errors.hasPrefix("busd: \(state) is in use by "))
        #expect(
            refusal.errors.hasSuffix(
                ": stop the daemon and add --state \(state), or check a backup\n"))
        try machine.run(busd, "house", "leave").expect(
            status: 1, errors: "busd: \(state): this store belongs to no house\n")

        daemon.signal(SIGTERM)
        #expect(try daemon.outcome().status == 0)
        let needsFolder = "name a folder with --state: $HOME is unset or not an absolute path"
        for (verb, words) in [
            ("user", ["list"]), ("backup", [folder("copy")]), ("check", []), ("house", ["leave"]),
        ] {
            try machine.start([busd, verb] + words).outcome().expect(
                status: 64, errors: "busd \(verb): \(needsFolder)\nTry 'busd \(verb) --help'.\n")
        }
        try machine.run(busd, "check", "--state", state).expect(
            output: "\(state): the store is undamaged\n")
    }

    @Test func `The option --state comes before the daemon of the machine`() throws {
        guard let machine = try MachineFixture() else { return }
        _ = try BusFixture(in: folder, options: ["--state", folder("other")]).stop()
        let daemon = try serve(machine)
        let other = ["--state", folder("other")]
        try machine.start([busd, "user", "add", "ann"] + other, input: "hush").outcome().expect(
            output: changed("ann can sign in", in: folder("other")))
        try machine.start([busd, "check"] + other).outcome().expect(
            output: "\(folder("other")): the store is undamaged\n")
        try machine.run(busd, "user", "list").expect()
        daemon.signal(SIGTERM)
        #expect(try daemon.outcome().status == 0)
    }

    @Test func `Without a daemon, busd user uses the default store if it exists`() throws {
        guard let machine = try MachineFixture() else { return }
        let home = ["HOME": folder.path]
        let defaultState = folder(".local/state/busd")
        func add() throws -> Child.Outcome {
            try machine.run(busd, "user", "add", "ann", input: "hush", environment: home)
        }
        try add().expect(
            status: 1,
            errors: "busd: \(defaultState): there is no store: start busd first, or name another "
                + "folder with --state\n")
        #expect(access(defaultState, F_OK) != 0)
        _ = try BusFixture(in: folder, options: ["--state", defaultState]).stop()
        try add().expect(output: changed("ann can sign in", in: defaultState))
    }

    // MARK: Permission

    private let nobody = ["setpriv", "--reuid=65534", "--regid=65533", "--clear-groups"]

    @Test(.needsRoot)
    func `A client without permission reports the group to join, and the view socket`() throws {
        guard let machine = try MachineFixture() else { return }
        let daemon = try serve(machine)
        // As the unit of the socket does.
        try machine.run("chown", "root:65534", Self.socket).expect()
        let (group, user) = (
            try Child.run("id", "-gn", "nobody").output.dropLast(),
            try Child.run("id", "-un", "65534").output.dropLast()
        )
        let reason =
            "no permission to connect to \(Self.socket): only group \(group) may: run "
            + "'usermod --append --groups \(group) \(user)' as root, then log in again; "
            + "to look only, use --socket /run/busd/view.sock\n"
        for program in ["viewctl", "scoreboard", "books", "busd-login"] {
            let words =
                program == "viewctl" ? ["list"] : program == "busd-login" ? ["--user", "a"] : []
            try machine.start(nobody + [try Products.path(program)] + words, input: "x\n").outcome()
                .expect(status: 5, errors: "\(program): \(reason)")
        }
        try machine.start(nobody + [viewctl, "ping", "--socket", "/run/busd/view.sock"]).outcome()
            .expect(output: "{}\n")
        daemon.signal(SIGTERM)
        #expect(try daemon.outcome().status == 0)
    }

    @Test(.needsRoot)
    func `A client without permission reports the owner if no group may connect`() throws {
        guard let machine = try MachineFixture() else { return }
        let daemon = try serve(machine)
        func reason() throws -> String {
            let outcome = try machine.start(nobody + [viewctl, "list"]).outcome()
            #expect(outcome.status == 5)
            return outcome.errors
        }
        let head = "viewctl: no permission to connect to \(Self.socket): only "
        // The group of root has more rights than a daemon's.
        #expect(try reason() == "\(head)root may; to look only, use --socket /run/busd/view.sock\n")
        try machine.run("chown", "1:1", Self.socket).expect()
        try machine.run("chmod", "600", "/run/busd/view.sock").expect()
        let owner = try Child.run("id", "-un", "1").output.dropLast()
        #expect(try reason() == "\(head)user \(owner) and root may\n")
        try machine.run("chmod", "700", "/run/busd").expect()
        #expect(try reason() == "\(head)root may enter its folder\n")
        daemon.signal(SIGTERM)
        #expect(try daemon.outcome().status == 0)
    }
}
