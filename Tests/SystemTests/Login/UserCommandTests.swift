import Glibc
import TestSupport
import Testing

/// `busd user`, with a daemon and without one.
@Suite(.showsScreens)
struct UserCommandTests {
    private let folder: Folder
    private let busd: String

    init() throws {
        folder = try Folder()
        busd = try Products.path("busd")
    }

    private var state: String { folder("state") }

    private func user(_ words: String..., input: String = "") throws -> Child.Outcome {
        try Child([busd, "user"] + words + ["--state", state], input: input).outcome()
    }

    private func serve() throws -> BusFixture {
        try BusFixture(in: folder, options: ["--state", state])
    }

    /// Makes an empty store.
    private func makeStore() throws { _ = try serve().stop() }

    /// What the command prints after a change.
    private func changed(_ line: String) -> String { "\(line)\nchanged the store in \(state)\n" }

    private func add(_ name: String, _ password: String) throws {
        try user("add", name, input: password).expect(output: changed("\(name) can sign in"))
    }

    @Test(arguments: [false, true])
    func `Users are added, changed, removed and listed`(isServed: Bool) throws {
        try makeStore()
        let bus = isServed ? try serve() : nil
        try user("add", "bob", input: "hush\n").expect(output: changed("bob can sign in"))
        try user("add", "Ann Ö", input: "hush").expect(output: changed("Ann Ö can sign in"))
        try user("add", "bob", input: "other\n").expect(output: changed("bob has a new password"))
        try user("list").expect(output: "Ann Ö\nbob\n")
        try user("remove", "bob").expect(output: changed("bob can't sign in any more"))
        try user("remove", "bob").expect(status: 1, errors: "busd: there is no user bob\n")
        try user("list").expect(output: "Ann Ö\n")
        _ = try bus?.stop()
        try user("list").expect(output: "Ann Ö\n")
    }

    @Test func `A list that cannot be written is an error`() throws {
        try makeStore()
        try add("ann", "hush")
        let command = "exec \(busd) user list --state \(state) >/dev/full"
        try Child.run("sh", "-c", command).expect(
            status: 74, errors: "busd: standard output: No space left on device\n")
    }

    @Test func `A login through the view socket is refused, and names the control socket`() throws {
        let bus = try serve()
        let login = try Child.run(
            Products.path("busd-login"), "--user", "ann", "--socket", bus.viewSocket, input: "x\n")
        login.expect(status: 2, errors: login.errors)
        #expect(
            login.errors.hasSuffix("; use the control socket to make it\n"))
    }

    @Test func `A user added while the daemon runs can sign in, also after a restart`() throws {
        var bus = try serve()
        #expect(try bus.signIn("ann", "hush") == false)
        try add("ann", "hush")
        #expect(try bus.signIn("ann", "hush"))
        try user("add", "ann", input: "other").expect(output: changed("ann has a new password"))
        #expect(try bus.signIn("ann", "hush") == false)
        #expect(try bus.signIn("ann", "other"))
        _ = try bus.stop()
        bus = try serve()
        #expect(try bus.signIn("ann", "other"))
        try user("remove", "ann").expect(output: changed("ann can't sign in any more"))
        #expect(try bus.signIn("ann", "other") == false)
    }

    @Test(arguments: [
        ("hush", "hush"), ("hush\n", "hush"), ("hush\r\n", "hush"), ("hush\nand more\n", "hush"),
        (" \n", " "), ("two  words\n", "two  words"), ("\"\\/\u{7}\t\n", "\"\\/\u{7}\t"),
        ("päß漢字👩‍👩‍👧\n", "päß漢字👩‍👩‍👧"),
        (String(repeating: "é", count: 512) + "\n", String(repeating: "é", count: 512)),
    ])
    func `A password is any line of text`(input: String, password: String) throws {
        let bus = try serve()
        try user("add", "ann", input: input).expect(output: changed("ann can sign in"))
        #expect(try bus.signIn("ann", password))
        #expect(try bus.signIn("ann", String(password.dropLast()) + "!") == false)
    }

    @Test func `Passwords are compared byte by byte`() throws {
        let bus = try serve()
        try add("ann", "\u{e9}")
        #expect(try bus.signIn("ann", "e\u{301}") == false)
        #expect(try bus.signIn("ann", "\u{e9}"))
    }

    @Test(arguments: [
        ("", "is empty"), ("\n", "is empty"), ("\r\n", "is empty"), ("\nhush\n", "is empty"),
        (String(repeating: "x", count: 1_025), "has more than 1024 bytes"),
        (String(repeating: "x", count: 100_000) + "\n", "has more than 1024 bytes"),
        ("a\0b\n", "is not text"),
    ])
    func `An empty, long or binary password is refused`(input: String, problem: String) throws {
        try makeStore()
        try user("add", "ann", input: input).expect(
            status: 1, errors: "busd: the password \(problem)\n")
        try user("list").expect()
    }

    @Test func `A password that is not UTF-8 is refused`() throws {
        try makeStore()
        let line = "printf '\\377\\n' | \(busd) user add ann --state \(state)"
        try Child.run("bash", "-c", line).expect(
            status: 1, errors: "busd: the password is not text\n")
    }

    @Test func `A name that is not UTF-8 is refused, so that no two become one user`() throws {
        for (byte, shown) in [("\\376", "\\xFE"), ("\\377", "\\xFF")] {
            let line = "echo hush | \(busd) user add $'ann\(byte)' --state \(state)"
            try Child.run("bash", "-c", line).expect(
                status: 64,
                errors: "busd: argument 3 is not UTF-8: 'ann\(shown)'; write it in UTF-8 "
                    + "(for such a file, make a link)\nTry 'busd --help'.\n")
        }
    }

    @Test(arguments: [
        (["add"], "missing NAME"), (["remove"], "missing NAME"), ([], "missing ACTION"),
        (["list", "ann"], "list takes no NAME"), (["frob"], "ACTION must be add, remove or list"),
        (["frob", "ann"], "ACTION must be add, remove or list"),
        (["add", ""], "the name is missing"),
        (["add", "a\nb"], "the name has a control character"),
        (["add", String(repeating: "x", count: 41)], "the name has more than 40 characters"),
        (
            [
                "add",
                String(repeating: "e\u{301}", count: 39) + String(repeating: "\u{301}", count: 99),
            ],
            "the name has more than 200 bytes"
        ),
        (["add", "a\u{202E}b"], "the name has the invisible character U+202E: remove it"),
        (["add", "ann\u{200B}"], "the name has the invisible character U+200B: remove it"),
        (
            ["add", "e" + String(repeating: "\u{301}", count: 31)],
            "the name has more than 30 combining marks in a row: remove some"
        ),
        (["add", "an\u{200D}n"], "the name has the invisible character U+200D: remove it"),
        (["add", "ann\u{FE0F}"], "the name has the invisible character U+FE0F: remove it"),
        (["add", "ann\u{3164}"], "the name has the invisible character U+3164: remove it"),
        (["add", "ann "], "the name begins or ends with a space: remove the space"),
        (["add", " ann"], "the name begins or ends with a space: remove the space"),
        (
            ["add", "an\u{A0}n"],
            "the name has the character U+A0, which looks like a space: use a plain space"
        ),
        (
            ["add", "ann\u{2800}"],
            "the name has the character U+2800, which looks like a space: use a plain space"
        ),
        (["add", "ann\u{E000}"], "the name has the private-use character U+E000: remove it"),
        (["add", "ann\u{10FFFD}"], "the name has the private-use character U+10FFFD: remove it"),
        (["remove", "ann\nlist"], "the name has a control character"),
        (["add", "ann", "bob"], "unexpected operand 'bob'"),
    ])
    func `A wrong command line of busd user is refused with the reason`(
        words: [String], problem: String
    ) throws {
        let outcome = try Child([busd, "user"] + words + ["--state", state], input: "x").outcome()
        outcome.expect(status: 64, errors: "busd user: \(problem)\nTry 'busd user --help'.\n")
        #expect(access(state, F_OK) != 0)
    }

    @Test func `The command busd user is refused if the state is kept in memory only`() throws {
        for words in [["list"], ["remove", "ann"], ["add", "ann"]] {
            try Child([busd, "user"] + words + ["--state", ":memory:"], input: "x").outcome()
                .expect(
                    status: 1, errors: "busd: :memory: has no store: name a folder with --state\n")
        }
    }

    @Test func `The command busd user makes no store`() throws {
        for words in [["list"], ["remove", "ann"], ["add", "ann"]] {
            try Child([busd, "user"] + words + ["--state", state], input: "x").outcome()
                .expect(
                    status: 1,
                    errors: "busd: \(state): there is no store: start busd first, or name another "
                        + "folder with --state\n")
            #expect(access(state, F_OK) != 0)
        }
    }

    @Test func `The store has only the hash of a password`() throws {
        try makeStore()
        try add("ann", "correct horse battery")
        let files = try Child.run("bash", "-c", "cat \(state)/* | tr -d '\\0'").output
        #expect(files.contains("$argon2id$v=19$m=65536,t=3,p=1$"))
        #expect(!files.contains("horse"))
    }

    // MARK: A terminal

    @Test(.needs("tmux"))
    func `A terminal is asked twice for the password, and does not show it`() throws {
        try makeStore()
        let tmux = try Tmux()
        try tmux.open("t", "\(busd) user add ann --state \(state)")
        try tmux.awaitText(/Password of ann:/, "the question", in: "t")
        try tmux.press("h u s h", "Enter", in: "t")
        try tmux.awaitText(/Repeat the password:/, "the second question", in: "t")
        try tmux.press("h u s h", "Enter", in: "t")
        try tmux.awaitText(/ended with 0/, "the end", in: "t")
        let screen = try tmux.screen("t")
        #expect(
            screen.hasPrefix(
                "Password of ann:\nRepeat the password:\n"
                    + "\(changed("ann can sign in"))ended with 0\n"))
        #expect(try serve().signIn("ann", "h u s h"))
    }

    @Test(.needs("tmux"))
    func `Different passwords are refused, and Ctrl-C restores the echo`() throws {
        try makeStore()
        let tmux = try Tmux()
        try tmux.open("two", "\(busd) user add ann --state \(state); stty -a | grep -o ' echo '")
        try tmux.awaitText(/Password of ann:/, "the question", in: "two")
        try tmux.press("one", "Enter", "other", "Enter", in: "two")
        try tmux.awaitText(/busd: the passwords do not match\n echo/, "a refusal", in: "two")

        try tmux.open("cut", "\(busd) user add ann --state \(state); stty -a | grep -o ' echo '")
        try tmux.awaitText(/Password of ann:/, "the question", in: "cut")
        try tmux.press("C-c", in: "cut")
        try tmux.awaitText(/busd: no password was given\n echo/, "a refusal", in: "cut")
        try user("list").expect()
    }
}
