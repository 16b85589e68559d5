import BusdEventLoop
import Glibc
import TestSupport
import Testing

/// Signing in at a real daemon.
struct LoginTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        let bus = try serve()
        let words = ["user", "add", "ann", "--socket", bus.socket]
        try Child([try Products.path("busd")] + words, input: "hush").outcome().expect(
            output: "ann can sign in\nchanged the store in \(folder("state"))\n")
        _ = try bus.stop()
    }

    private func serve(_ options: String...) throws -> BusFixture {
        try BusFixture(in: folder, options: ["--state", folder("state")] + options)
    }

    @Test func `A successful login sends exactly these lines`() throws {
        let bus = try serve()
        let view = try bus.connect()
        #expect(
            try view.ask("subscribe login/me")
                == #"{"ok":{"to":"login/me","matched":["login/me"],"resumed":false}}"#)
        #expect(
            try view.lines(2) == [
                #"{"from":"login/me","seq":0,"snapshot":true,"more":true,"#
                    + #""event":{"loginButtonEnabled":{"isEnabled":false}}}"#,
                #"{"from":"login/me","seq":0,"snapshot":true,"event":{"busy":{"isBusy":false}}}"#,
            ])
        #expect(try view.line()?.hasPrefix(#"{"live":"login/me","#) == true)
        try view.send(
            #"send login/me usernameChanged {"username":"ann"}"#,
            #"send login/me passwordChanged {"password":"hu\u0073h"}"#)
        #expect(
            try view.line()
                == #"{"from":"login/me","seq":1,"event":{"loginButtonEnabled":{"isEnabled":true}}}"#
        )
        try view.send(#"{"op":"send","to":"login/me","event":"loginTapped","id":1}"#)
        #expect(
            try view.lines(6) == [
                #"{"from":"login/me","seq":2,"more":true,"cause":{"connection":1,"id":1},"#
                    + #""event":{"busy":{"isBusy":true}}}"#,
                #"{"from":"login/me","seq":3,"cause":{"connection":1,"id":1},"#
                    + #""event":{"loginButtonEnabled":{"isEnabled":false}}}"#,
                #"{"ok":{"seq":[2,3],"changed":true},"id":1}"#,
                #"{"from":"login/me","seq":4,"more":true,"event":{"busy":{"isBusy":false}}}"#,
                #"{"from":"login/me","seq":5,"more":true,"#
                    + #""event":{"loginButtonEnabled":{"isEnabled":true}}}"#,
                #"{"from":"login/me","seq":6,"#
                    + #""event":{"showSuccessMessage":{"message":"Login Successful!","#
                    + #""user":"ann"}}}"#,
            ])
    }

    @Test func `The text of a failure is the same for every name, locked or not`() throws {
        let bus = try serve()
        var texts: Set<String> = []
        for name in ["ann", "nobody", String(repeating: "x", count: 200), " "] {
            let view = try bus.connect()
            for _ in 0..<6 {
                texts.insert(try #require(try view.failure(name, "wrong", at: "login/x")))
            }
        }
        #expect(
            texts == [
                #"{"showFailureMessage":{"message":"Wrong name or password. "#
                    + #"Five failures in a row lock a name for 30 s."}}}"#
            ])
    }

    @Test func `Fields that are too long are refused, and not kept`() throws {
        let bus = try serve()
        let view = try bus.connect()
        let long = String(repeating: "x", count: 1_025)
        #expect(
            try view.ask(#"send login/me usernameChanged {"username":"\#(long)"}"#)
                == #"{"error":{"code":"badEvent","message":"a user name must have at most 200 bytes","#
                + #""path":"event.usernameChanged.username"}}"#)
        #expect(
            try view.ask(#"send login/me passwordChanged {"password":"\#(long)"}"#)
                == #"{"error":{"code":"badEvent","#
                + #""message":"expected a text of at most 1024 bytes","#
                + #""path":"event.passwordChanged.password"}}"#)
        #expect(try !view.signIn("ann", "wrong", at: "login/me"))
        #expect(try view.signIn("ann", "hush", at: "login/me"))
    }

    @Test func `Five failures lock the name for thirty seconds of the daemon's clock`() throws {
        let bus = try serve("--clock", "manual")
        let clock = try bus.connect()
        for _ in 0..<4 { #expect(try !bus.signIn("ann", "wrong")) }
        #expect(try bus.signIn("ann", "hush"))
        for _ in 0..<5 { #expect(try !bus.signIn("ann", "wrong")) }
        #expect(try !bus.signIn("ann", "hush"))
        #expect(try clock.ask(advance(by: "29.999999")) == #"{"ok":{"changed":true},"id":1}"#)
        #expect(try !bus.signIn("ann", "hush"))
        #expect(try clock.ask(advance(by: "0.000001")) == #"{"ok":{"changed":true},"id":1}"#)
        #expect(try bus.signIn("ann", "hush"))
    }

    private func advance(by seconds: String) -> String {
        #"{"op":"send","to":"bus/clock","event":{"advance":{"by":\#(seconds)}},"id":1}"#
    }

    @Test func `A login ends with its connection, and the next login there is empty`() throws {
        let bus = try serve()
        let watcher = try bus.connect()
        _ = try watcher.ask("subscribe login/*")
        _ = try watcher.line()
        do {
            let view = try bus.connect()
            try view.send(
                #"send login/me usernameChanged {"username":"ann"}"#,
                #"send login/me passwordChanged {"password":"hush"}"#)
            #expect(try view.ask("ping") == #"{"ok":{}}"#)
        }
        try watcher.line(with: #"{"gone":"login/me"}"#)
        let view = try bus.connect()
        #expect(
            try view.ask("get login/me")?.contains(
                #""events":[{"loginButtonEnabled":{"isEnabled":false}},"#
                    + #"{"busy":{"isBusy":false}}]"#) == true)
    }

    @Test func `Eight clients can sign in at the same time`() throws {
        let bus = try serve()
        let views = try (0..<8).map { _ in try bus.connect() }
        for (number, view) in views.enumerated() {
            let (address, password) = ("login/\(number)", number % 2 == 0 ? "hush" : "no")
            try view.send(
                "subscribe \(address)", #"send \#(address) usernameChanged {"username":"ann"}"#,
                #"send \#(address) passwordChanged {"password":"\#(password)"}"#,
                "send \(address) loginTapped")
        }
        for (number, view) in views.enumerated() {
            var line = ""
            while !line.contains(#"{"show"#) { line = try #require(try view.line()) }
            #expect(line.contains("showSuccessMessage") == (number % 2 == 0))
        }
        #expect(try views[0].ask("ping") == #"{"ok":{}}"#)
    }

    @Test func `A stopped daemon does not wait for pending password checks`() throws {
        let bus = try serve()
        let watcher = try bus.connect()
        _ = try watcher.ask("subscribe login/*")
        let views = try (0..<25).map { _ in try bus.connect() }
        for (number, view) in views.enumerated() {
            for other in 0..<4 {
                let address = "login/\(number)-\(other)"
                try view.send(
                    #"send \#(address) usernameChanged {"username":"ann"}"#,
                    #"send \#(address) passwordChanged {"password":"hush"}"#,
                    "send \(address) loginTapped")
            }
            #expect(try view.ask("ping") == #"{"ok":{}}"#)
        }
        try bus.stop().expect(errors: "busd: done\n")
        let results = try watcher.rest().split(separator: "\n").count { $0.contains("{\"show") }
        #expect(results < 100)
    }

    @Test func `The daemon disables core files`() throws {
        let bus = try serve()
        let limits = try Child.run("cat", "/proc/\(bus.daemon.pid)/limits").output
        let line = try #require(
            limits.split(separator: "\n").first { $0.hasPrefix("Max core file") })
        #expect(line.split(separator: " ").suffix(3) == ["0", "0", "bytes"])
    }
}
