import Glibc
import TestSupport
import Testing

/// `busd-login` in terminals and in pipes.
@Suite(.showsScreens)
struct LoginTerminalTests {
    private let bus: BusFixture
    private let program: String

    init() throws {
        bus = try BusFixture.withUser("ann", password: "geheimwort")
        program = try Products.path("busd-login")
    }

    @Test(.needs("tmux"))
    func `The button is enabled when both fields are filled, and the password is shown as bullets`()
        throws
    {
        let tmux = try Tmux()
        try tmux.open(
            "login", columns: 80, rows: 24, "env BUSD_SOCKET=\(bus.socket) \(program)")
        try tmux.awaitText(#/User name/#, "the fields", in: "login")
        try tmux.press("ann", in: "login")
        try tmux.awaitText(#/User name ann[^•]*enter next/#, "a disabled button", in: "login")
        try tmux.press("Tab", "geheimwor", in: "login")
        try tmux.awaitText(#/Password •{9}[^•]*enter log in/#, "an enabled button", in: "login")
        for _ in 0..<9 { try tmux.press("BSpace", in: "login") }
        try tmux.awaitText(#/Password\n[^•]*enter next/#, "a disabled button", in: "login")
        try tmux.press("wrong", "Enter", in: "login")
        try tmux.awaitText(#/Wrong name or password/#, "the failure", in: "login")
        try tmux.awaitText(#/Password\n[^•]*enter next/#, "an empty field", in: "login")
        try tmux.paste("geheimwort\n", in: "login")
        try tmux.awaitText(#/Password •{10}\n/#, "bullets", in: "login")
        #expect(!(try tmux.screen("login")).contains("geheim"))
        try tmux.press("Enter", in: "login")
        try tmux.awaitText(
            #/busd-login: Login Successful!\nended with 0/#, "the success and the end",
            in: "login")
    }

    @Test(.needs("tmux"))
    func `Escape and Ctrl-C end a login with status 5`() throws {
        let tmux = try Tmux()
        for (number, key) in ["Escape", "C-c"].enumerated() {
            try tmux.open(
                "login\(number)", columns: 40, rows: 12,
                "env BUSD_SOCKET=\(bus.socket) \(program) --user ann")
            try tmux.awaitText(#/User name ann/#, "the name", in: "login\(number)")
            try tmux.press(key, in: "login\(number)")
            try tmux.awaitText(#/ended with 5/#, "the end", in: "login\(number)")
        }
    }

    @Test(.needs("tmux"))
    func `Ctrl-C ends the prompt for a password and restores the echo`() throws {
        let tmux = try Tmux()
        let login = "env BUSD_SOCKET=\(bus.socket) \(program) --plain --user ann"
        try tmux.open("prompt", "\(login); echo status $?; stty -a")
        try tmux.awaitText(#/Password:/#, "the prompt", in: "prompt")
        try tmux.press("geheim", "C-c", in: "prompt")
        try tmux.awaitText(#/status 130/#, "the status", in: "prompt")
        try tmux.awaitText(#/ echo /#, "the modes of the terminal", in: "prompt")
        #expect(try !tmux.screen("prompt").contains("geheim"))
    }

    @Test func `Without a terminal the password is a line of standard input`() throws {
        let arguments = ["--timeout", "30", "--user", "ann"]
        func login(_ input: String) throws -> Child.Outcome {
            try bus.start([program] + arguments, input: input).outcome()
        }
        try login("geheimwort\nmore\n").expect(output: "Login Successful!\n")
        try login("geheimwort").expect(output: "Login Successful!\n")
        let wrong = try login("geheimwor\n")
        wrong.expect(status: 5, errors: wrong.errors)
        #expect(wrong.errors.hasPrefix("busd-login: Wrong name or password."))
        try login("").expect(status: 65, errors: "busd-login: the password is empty\n")
        try login("a\u{0}b\n").expect(
            status: 65, errors: "busd-login: the password is not text\n")
        try bus.run(program, input: "geheimwort\n").expect(
            status: 64, errors: "busd-login: add --user NAME, which is required without a screen\n")
    }

    @Test func `The program busd-login reports that no daemon listens`() throws {
        try Child.run(
            program, "--user", "ann", "--socket", "/nowhere/busd.sock", "--timeout", "0.1",
            input: "x\n"
        ).expect(
            status: 1,
            errors: "busd-login: no daemon listens at /nowhere/busd.sock: "
                + "start one with busd --socket /nowhere/busd.sock\n")
    }
}
