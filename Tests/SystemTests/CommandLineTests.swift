import Glibc
import TestSupport
import Testing

/// The programs' help, versions, usage errors and man pages.
struct CommandLineTests {
    static let programs = ["busd", "viewctl", "scoreboard", "books", "busd-login", "busd-web"]

    private func run(_ program: String, _ arguments: String...) throws -> Child.Outcome {
        try Child([try Products.path(program)] + arguments).outcome()
    }

    private func run(
        _ program: String, _ verb: [String], _ arguments: String...
    ) throws -> Child.Outcome {
        try Child([try Products.path(program)] + verb + arguments).outcome()
    }

    @Test(arguments: programs)
    func `Help goes to standard output and fits a terminal`(program: String) throws {
        let help = try run(program, "--help")
        help.expect(output: help.output)
        #expect(help.output.hasPrefix("Usage: \(program) [OPTION]..."))
        #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test(arguments: programs)
    func `Help that cannot be written is an error`(program: String) throws {
        // The manual is longer than a buffer.
        for option in ["--help", "--manual"] {
            try Child.run(
                "sh", "-c", #"exec "$0" \#(option) >/dev/full"#, Products.path(program)
            ).expect(status: 74, errors: "\(program): standard output: No space left on device\n")
        }
    }

    @Test func `A verb refuses an option that it does not use`() throws {
        try run("busd", "check", "--socket", "/tmp/busd.sock").expect(
            status: 64,
            errors: "busd check: check does not use --socket\nTry 'busd check --help'.\n")
        try run("busd", "user", "list", "--durability", "full").expect(
            status: 64,
            errors: "busd user: user does not use --durability\nTry 'busd user --help'.\n")
    }

    @Test func `A path below a file names the file`() throws {
        let folder = try Folder()
        try folder.write("", to: "file")
        let (below, problem) = (folder("file/a"), "\(folder("file")) is not a folder")
        for option in ["--socket", "--view-socket"] {
            try run("busd", "--state", ":memory:", "--socket", folder("s"), option, below).expect(
                status: 1,
                errors: "busd: \(folder("file")): is not a folder: choose another path\n")
        }
        try run("busd", "--socket", folder("s"), "--state", below).expect(
            status: 1, errors: "busd: \(below): \(problem)\n")
        for verb in [
            ["check"], ["user", "list"], ["house", "leave"], ["backup", folder("copy")],
        ] {
            let outcome = try run("busd", verb, "--state", below)
            #expect(outcome.status == 1 && outcome.errors.contains(problem), "\(outcome)")
        }
        try run("viewctl", "ping", "--socket", below).expect(
            status: 1, errors: "viewctl: \(below): \(problem)\n")
        try run("viewctl", "relay", "--socket", below).expect(
            status: 1, errors: "viewctl: \(below): \(problem)\n")
    }

    @Test(arguments: programs)
    func `All programs have the package's version`(program: String) throws {
        let busd = try run("busd", "--version").output
        try run(program, "--version").expect(output: busd.replacing("busd", with: program))
    }

    @Test(arguments: programs)
    func `An unknown option is refused with a hint to the help`(program: String) throws {
        let outcome = try run(program, "--frobnicate")
        outcome.expect(status: 64, errors: outcome.errors)
        #expect(outcome.errors.hasPrefix("\(program): "))
        #expect(outcome.errors.hasSuffix("\nTry '\(program) --help'.\n"))
    }

    @Test(arguments: programs)
    func `A program reads its command line without a proc file system`(program: String) throws {
        // scripts/sanitize.sh sets it.
        guard getenv("ASAN_OPTIONS") == nil else {
            return skip("a sanitizer needs the proc file system")
        }
        guard try Child.run("unshare", "-rm", "true").status == 0 else {
            return skip("no mount namespace can be made")
        }
        let command = "mount -t tmpfs none /proc && exec \"$0\" --version"
        let version = try run(program, "--version").output
        try Child.run("unshare", "-rm", "sh", "-c", command, Products.path(program))
            .expect(output: version)
    }

    @Test(arguments: programs)
    func `A word that is not UTF-8 is refused, not repaired`(program: String) throws {
        let command = #"exec "$0" --socket="$(printf '/tmp/caf\351')""#
        let outcome = try Child.run("sh", "-c", command, Products.path(program))
        outcome.expect(status: 64, errors: outcome.errors)
        #expect(
            outcome.errors.hasPrefix(
                #"\#(program): argument 1 is not UTF-8: '--socket=/tmp/caf\xE9'; "#))
    }

    @Test(arguments: programs)
    func `An error message is printable ASCII, whatever the option`(program: String) throws {
        let outcome = try run(program, "--\u{202E}\u{61C}\u{9B}\u{1B}[31m")
        outcome.expect(status: 64, errors: outcome.errors)
        #expect(outcome.errors.utf8.allSatisfy { $0 == UInt8(ascii: "\n") || 0x20..<0x7F ~= $0 })
    }

    @Test(arguments: programs)
    func `The manual lists each option, and no other`(program: String) throws {
        var help = try run(program, "--help").output
        for verb in try verbs(of: help) { help += try run(program, verb, "--help").output }
        let manual = try section("OPTIONS", of: program).replacing(#"\-"#, with: "-")
        let extra = options(manual).symmetricDifference(options(help))
        #expect(extra == [])
    }

    @Test(arguments: ["busd", "viewctl", "scoreboard", "books", "busd-web"])
    func `The manual lists each verb, in the order of the help`(program: String) throws {
        let manual = try section("VERBS", of: program)
        let inManual = manual.matches(of: #/\n.TP\n.BR? ([a-z]+)/#).map { String($0.output.1) }
        #expect(inManual == (try verbs(of: try run(program, "--help").output)))
    }

    @Test(arguments: programs)
    func `Help and man page list each exit status`(program: String) throws {
        let help = try run(program, "--help").output
        let table = try #require(help.firstRange(of: "Exit status:\n"))
        let inHelp = help[table.upperBound...].prefix(while: { $0 != "E" })
            .matches(of: #/(?m)^  ([0-9]+) /#).map { String($0.output.1) }
        let inManual = try section("EXIT STATUS", of: program)
            .matches(of: #/\.B ([0-9]+)\n/#).map { String($0.output.1) }
        #expect(inHelp == inManual)
        #expect(inHelp.starts(with: ["0", "1"]) && inHelp.contains("64"))
    }

    private func page(of program: String) -> String {
        let section = ["busd", "busd-web"].contains(program) ? 8 : 1
        return "docs/man/\(program).\(section)"
    }

    private func section(_ name: String, of program: String) throws -> String {
        let sections = try Package.text(page(of: program)).split(separator: "\n.SH ")
        return String(try #require(sections.first { $0.hasPrefix("\(name)\n") }))
    }

    private func options(_ text: String) -> Set<String> {
        Set(text.matches(of: #/--[a-z][-a-z]*/#).map { String($0.output) })
    }

    private func verbs(of help: String) throws -> [String] {
        guard let start = help.firstRange(of: "Verbs:\n") else { return [] }
        let table = help[start.upperBound...].split(
            separator: "\n", omittingEmptySubsequences: false)
        return table.prefix { !$0.isEmpty }.compactMap { line in
            line.prefixMatch(of: #/  ([a-z]+)/#).map { String($0.output.1) }
        }
    }
}
