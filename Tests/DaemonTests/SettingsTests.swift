import BusdOptions
import BusdProtocol
import TestSupport
import Testing

@testable import BusdDaemon

@Suite struct SettingsTests {
    @Test func `Every option is read`() throws {
        let settings = try settings(
            "--socket", "/a/b.sock", "--view-socket", "c.sock", "--state", "/d",
            "--durability", "normal", "--history-size", "2G", "--clock", "manual", "--connections",
            "10000",
            "--connections-per-user", "20",
            "--log-level", "warning")

        #expect(settings.socket == "/a/b.sock")
        #expect(settings.viewSocket == "c.sock")
        #expect(try settings.state.path == "/d")
        #expect("\(settings.durability)" == "normal")
        #expect(settings.mostLogBytes == 2 << 30)
        #expect(settings.isClockManual)
        #expect(settings.limits.connections == 10_000)
        #expect(settings.limits.connectionsPerUser == 20)
        #expect(settings.logLevel == .warning)
    }

    @Test func `Without options and environment there are defaults`() throws {
        let settings = try settings("--state", ":memory:")

        #expect(settings.socket == "/run/busd/busd.sock")
        #expect(settings.viewSocket == "/run/busd/view.sock")
        #expect(try settings.state.path == nil)
        #expect("\(settings.durability)" == "full")
        #expect(settings.mostLogBytes == 1 << 30)
        #expect(!settings.isClockManual)
        #expect(settings.limits == Limits())
        #expect(settings.logLevel == .info)
    }

    @Test(arguments: [
        ("--durability", ["full", "normal"]), ("--clock", ["auto", "manual"]),
        ("--log-level", ["error", "warning", "info", "debug"]),
    ])
    func `Each word of a choice sets its value`(option: String, words: [String]) throws {
        let values = try words.map { word in
            let settings = try settings("--state", ":memory:", option, word)
            return "\(settings.durability) \(settings.isClockManual) \(settings.logLevel)"
        }
        let expected =
            switch option {
            case "--durability": ["full false info", "normal false info"]
            case "--clock": ["full false info", "full true info"]
            default:
                ["full false error", "full false warning", "full false info", "full false debug"]
            }
        #expect(values == expected)
    }

    // MARK: Wrong values

    @Test(arguments: [
        ("--socket", "", "--socket needs a path, not ''"),
        ("--view-socket", "", "--view-socket needs a path, not ''"),
        ("--state", "", "--state needs a path, not ''"),
        ("--durability", "none", "--durability needs full or normal, not 'none'"),
        (
            "--history-size", "0",
            "--history-size needs a size such as 500M or 2G, at least 16M, not '0'"
        ),
        (
            "--history-size", "16383K",
            "--history-size needs a size such as 500M or 2G, at least 16M, not '16383K'"
        ),
        (
            "--history-size", "9999999999T",
            "--history-size needs a size such as 500M or 2G, at least 16M, not '9999999999T'"
        ),
        (
            "--history-size", "-1G",
            "--history-size needs a size such as 500M or 2G, at least 16M, not '-1G'"
        ),
        ("--connections", "0", "--connections needs a whole number from 1 to 1000000, not '0'"),
        (
            "--connections", "many",
            "--connections needs a whole number from 1 to 1000000, not 'many'"
        ),
        ("--clock", "Manual", "--clock needs auto or manual, not 'Manual'"),
        (
            "--log-level", "6",
            "--log-level needs error or warning or info or debug, not '6'"
        ),
    ])
    func `A wrong value is refused`(option: String, value: String, complaint: String) {
        let error = #expect(throws: UsageError.self) {
            try settings(option, value, environment: ["HOME": "/home/ann"])
        }
        #expect(error?.description == "busd: \(complaint)\nTry 'busd --help'.")
    }

    @Test(arguments: [[:], ["HOME": ""], ["HOME": "ann"], ["HOME": "."]])
    func `Without a home, the state's folder must be named`(environment: [String: String]) throws {
        let settings = try settings(environment: environment)
        let error = #expect(throws: UsageError.self) { try settings.state }
        #expect(
            error?.description == """
                busd: name a folder with --state: $HOME is unset or not an absolute path
                Try 'busd --help'.
                """)
    }

    // MARK: The environment

    @Test(arguments: [
        (["XDG_RUNTIME_DIR": "/run/user/7"], "/run/user/7/busd/busd.sock"),
        (["XDG_RUNTIME_DIR": ""], "/run/busd/busd.sock"),
    ])
    func `The default socket is in the runtime folder of the user or the system`(
        environment: [String: String], socket: String
    ) throws {
        #expect(
            try settings("--state", "/s", environment: environment).socket == socket)
    }

    @Test(arguments: [
        ("/a/b.sock", "/a/view.sock"), ("b.sock", "view.sock"), ("./b", "./view.sock"),
        ("/b", "/view.sock"), ("/a/\u{301}b", "/a/view.sock"),
    ])
    func `The default view socket is next to the other`(socket: String, viewSocket: String) throws {
        #expect(try settings("--state", "/s", "--socket", socket).viewSocket == viewSocket)
    }

    @Test(arguments: [
        (["STATE_DIRECTORY": "/s", "XDG_STATE_HOME": "/x", "HOME": "/h"], "/s"),
        (["STATE_DIRECTORY": "/s/one:/s/two", "HOME": "/h"], "/s/one"),
        (["STATE_DIRECTORY": ":", "HOME": "/h"], "/h/.local/state/busd"),
        (["STATE_DIRECTORY": "", "XDG_STATE_HOME": "/x", "HOME": "/h"], "/x/busd"),
        (["XDG_STATE_HOME": "", "HOME": "/h"], "/h/.local/state/busd"),
        (["XDG_STATE_HOME": "x", "HOME": "/h"], "/h/.local/state/busd"),
        (["STATE_DIRECTORY": "s", "XDG_STATE_HOME": "/x"], "/x/busd"),
    ])
    func `The default state folder is the first that the environment names`(
        environment: [String: String], path: String
    ) throws {
        #expect(try settings(environment: environment).state.path == path)
    }

    @Test func `The default places of a daemon have its name`() throws {
        let environment = [
            "XDG_RUNTIME_DIR": "/r", "HOME": "/h", "BUSD_SOCKET": "/b", "COUNTERD_SOCKET": "",
        ]
        let user = try settings(of: "counterd", environment: environment)
        #expect(user.socket == "/r/counterd/counterd.sock")
        #expect(user.viewSocket == "/r/counterd/view.sock")
        #expect(try user.state.path == "/h/.local/state/counterd")
        #expect(
            user.clientSockets == ["/r/counterd/counterd.sock", "/run/counterd/counterd.sock"])

        let machine = try settings(of: "counterd", environment: ["XDG_STATE_HOME": "/x"])
        #expect(machine.socket == "/run/counterd/counterd.sock")
        #expect(try machine.state.path == "/x/counterd")
        #expect(machine.clientSockets == ["/run/counterd/counterd.sock"])

        let named = try settings(
            "--state", "/s", of: "counterd", environment: ["COUNTERD_SOCKET": "/c"])
        #expect(named.clientSockets == ["/c"])
        #expect(named.namesSocket)
        #expect(named.socket == "/run/counterd/counterd.sock")
    }

    @Test func `The help names the daemon's own places`() {
        let help = Program("counterd", version: "1", "", options: DaemonOptions(of: "counterd").all)
            .help
        #expect(help.contains("$XDG_RUNTIME_DIR/counterd/counterd.sock"))
        #expect(help.contains("~/.local/state/counterd"))
        #expect(!help.contains("busd"))
    }

    @Test func `An option takes precedence over the environment`() throws {
        let environment = ["XDG_RUNTIME_DIR": "/r", "STATE_DIRECTORY": "/s"]
        let settings = try settings(
            "--socket", "/a/s", "--state", "/b", environment: environment)

        #expect(settings.socket == "/a/s")
        #expect(settings.viewSocket == "/a/view.sock")
        #expect(try settings.state == StateFolder("/b"))
    }

    @Test func `The environment of the process can be read`() {
        #expect(Environment.process["PATH"] != nil)
        #expect(Environment.process["BUSD_NOBODY_SETS_THIS"] == nil)
    }
}
