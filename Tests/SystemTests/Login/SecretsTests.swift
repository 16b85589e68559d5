import BusdEventLoop
import Glibc
import TestSupport
import Testing

/// No password is left in a line to a client, in the log, in a file, or in the daemon's memory. The
/// tests search for every part of eight bytes.
struct SecretsTests {
    private let bus: BusFixture
    private let right = Password()
    private let wrong = Password()
    private let watchers: [Conversation]

    /// Forty random letters.
    private struct Password {
        let text = String(
            (0..<40).compactMap { _ in "abcdefghjkmnopqrstuvwxyz23456789".randomElement() })

        /// All parts of eight bytes.
        var pieces: [String] { (0...(text.count - 8)).map { String(text.dropFirst($0).prefix(8)) } }
    }

    init() throws {
        let folder = try Folder()
        let bus = try BusFixture(in: folder, options: ["--state", folder("state")])
        self.bus = bus
        try Child.run(
            try Products.path("busd"), "user", "add", "ann", "--state", folder("state"),
            input: right.text
        ).expect(output: "ann can sign in\nchanged the store in \(folder("state"))\n")
        watchers = try [false, true].map { try bus.connect(throughViewSocket: $0) }
        for watcher in watchers { _ = try watcher.ask("subscribe **") }
    }

    // MARK: Sent lines

    /// A line with a password, in words or JSON, filled with spaces to `size` bytes.
    private func line(_ password: Password, at address: String, words: Bool, size: Int) -> String {
        let start =
            words
            ? "send \(address) passwordChanged {"
            : #"{"op":"send","to":"\#(address)","#
                + #""event":{"passwordChanged":{"#
        let end = #""password":"\#(password.text)"}"# + (words ? "" : "}}")
        let spaces = max(0, size - start.utf8.count - end.utf8.count)
        return start + String(repeating: " ", count: spaces) + end
    }

    /// Signs in among other requests, all in one write; returns all lines until the result.
    private func signIn(_ password: Password, name: String, words: Bool, size: Int) throws
        -> [String]
    {
        let client = try bus.connect()
        let address = "login/\(name)"
        try client.send(
            "subscribe \(address)", "ping",
            #"send \#(address) usernameChanged {"username":"ann"}"#,
            line(password, at: address, words: words, size: size), "list",
            "send \(address) loginTapped",
            line(password, at: address, words: !words, size: size / 2), "get \(address)",
            "describe login", "help")
        var lines: [String] = []
        while !lines.contains(where: { $0.contains(#"event":{"show"#) }) {
            lines.append(try #require(try client.line()))
        }
        return lines
    }

    /// Lines that are refused, each by a different rule.
    private func refused(_ password: Password) -> [String] {
        let address = "login/refused"
        let whole = line(password, at: address, words: false, size: 0)
        let words = line(password, at: address, words: true, size: 0)
        return [
            // Wrong keys and types
            whole.replacing(#""password":"#, with: #""pasword":"#),
            whole.replacing(#""\#(password.text)""#, with: #"["\#(password.text)"]"#),
            whole.replacing(#"{"password":"\#(password.text)"}"#, with: #""\#(password.text)""#),
            #"send \#(address) passwordChanged "\#(password.text)""#,
            // Wrong addresses and events
            line(password, at: "login/a/b", words: false, size: 0),
            line(password, at: "scoreboard/99", words: true, size: 0),
            line(password, at: "games", words: true, size: 0),
            whole.replacing("passwordChanged", with: "passwordChange"),
            // Invalid JSON, and lines that are too long
            String(whole.dropLast()), whole + "}", words + "}",
            words.replacing(#"":""#, with: #"" ""#),
            "send \(address) passwordChanged \(password.text)",
            "get \(address) passwordChanged \(password.text)", "x" + whole,
            words.replacing(" {", with: "{"),
            line(password, at: address, words: false, size: 70_000),
            whole.dropLast() + #","password":"\#(password.text)"}"#,
            // Longer than a password can be
            whole.replacing(password.text, with: String(repeating: password.text, count: 26)),
        ]
    }

    /// Sends the lines, and returns all answers until the daemon closes the connection.
    private func exchange(
        _ lines: [String], throughViewSocket: Bool = false, isWhole: Bool = true
    ) throws -> [String] {
        let client = try bus.connect(throughViewSocket: throughViewSocket)
        let text = lines.joined(separator: "\n") + (isWhole ? "\n" : "")
        try client.sendAll(Array(text.utf8))
        client.endInput()
        var answers: [String] = []
        while let line = try client.line() { answers.append(line) }
        return answers
    }

    // MARK: Searches

    private func expectNothing(
        in lines: [String], _ what: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let pieces = right.pieces + wrong.pieces
        for line in lines where pieces.contains(where: { line.contains($0) }) {
            Issue.record("\(what): \(line.prefix(500))", sourceLocation: sourceLocation)
        }
    }

    private func expectNothingInMemory(sourceLocation: SourceLocation = #_sourceLocation) throws {
        do {
            let places = try Memory(of: bus.daemon.pid).places(of: right.pieces + wrong.pieces)
            #expect(places == [], sourceLocation: sourceLocation)
        } catch let error as Memory.NotReadable {
            skip("the daemon's memory can't be read: \(error.reason)")
        }
    }

    /// Waits until the daemon has handled everything that was sent before.
    private func settle() throws {
        #expect(try bus.connect().ask("ping") == #"{"ok":{}}"#)
    }

    // MARK: Tests

    @Test func `The search finds a password that the daemon has in its memory`() throws {
        // The daemon has to keep an incomplete line.
        let client = try bus.connect()
        try client.sendAll(Array("send echo/x say {\"text\":\"\(right.text)".utf8))
        try settle()
        do {
            #expect(try Memory(of: bus.daemon.pid).places(of: right.pieces).count >= 5)
        } catch let error as Memory.NotReadable {
            skip("the daemon's memory can't be read: \(error.reason)")
        }
        client.endInput()
        while try client.line() != nil {}
        try settle()
        try expectNothingInMemory()
    }

    @Test(arguments: [true, false], [0, 1_000, 60_000])
    func `No password is left after logins that succeed and fail`(words: Bool, size: Int) throws {
        let success = try signIn(right, name: "ann", words: words, size: size)
        #expect(success.contains { $0.contains("Login Successful!") })
        try expectNothingInMemory()
        let failure = try signIn(wrong, name: "bob", words: words, size: size)
        #expect(failure.contains { $0.contains("Wrong name or password") })
        try expectNothingInMemory()
        expectNothing(in: success + failure, "an answer")
        try expectNothingElsewhere()
    }

    @Test func `No password is in a refusal, or left after one`() throws {
        for throughViewSocket in [false, true] {
            // Three bad lines in a row would end the connection.
            let lines = refused(right).flatMap { [$0, "ping"] }
            let answers = try exchange(lines, throughViewSocket: throughViewSocket)
            #expect(answers.count == lines.count)
            expectNothing(in: answers, "a refusal")
        }
        for line in refused(wrong) {
            expectNothing(in: try exchange([line], isWhole: false), "a refusal of one")
        }
        // The third bad line ends the connection before the other lines are read.
        let goodbye = try exchange(["{", "{", "{"] + refused(wrong))
        #expect(goodbye.count == 4)
        try expectNothingInMemory()
        try expectNothingElsewhere()
    }

    @Test(arguments: [true, false])
    func `No password is left if its line was the last of its connection`(words: Bool) throws {
        let client = try bus.connect()
        _ = try client.ask("subscribe login/last")
        #expect(try client.lines(3).count == 3)
        try client.send(#"send login/last usernameChanged {"username":"ann"}"#)
        try client.send(line(right, at: "login/last", words: words, size: 0))
        #expect(try client.line()?.contains("loginButtonEnabled") == true)
        try expectNothingInMemory()
        for refusal in refused(wrong) {
            #expect(try bus.connect().ask(refusal)?.hasPrefix(#"{"error":"#) == true)
            try expectNothingInMemory()
        }
    }

    @Test(arguments: [0, 3])
    func `No password is left when its connection ends, with checks running and waiting`(
        others: Int
    ) throws {
        let watcher = try bus.connect()
        _ = try watcher.ask("subscribe login/*")
        _ = try watcher.line()
        do {
            let client = try bus.connect()
            for number in 0...others {
                let address = "login/\(number)"
                try client.send(
                    #"send \#(address) usernameChanged {"username":"ann"}"#,
                    line(right, at: address, words: true, size: 0), "send \(address) loginTapped")
            }
            #expect(try client.ask("ping") == #"{"ok":{}}"#)
        }
        var gone = 0
        while gone <= others {
            if try #require(try watcher.line()).hasPrefix(#"{"gone":"login/"#) { gone += 1 }
        }
        // The running check has ended when the next check is answered.
        _ = try bus.signIn("nobody", "x")
        _ = try bus.signIn("nobody", "y")
        try expectNothingInMemory()
    }

    @Test func `No password is left by a connection that ends in the middle of a line`() throws {
        for size in [0, 1_000, 60_000, 150_000] {
            for words in [true, false] {
                let client = try bus.connect()
                let text = line(right, at: "login/x", words: words, size: size).dropLast(3)
                for piece in Array(text.utf8).pieces(of: 1_000) { try client.sendAll(piece) }
            }
        }
        try settle()
        try settle()
        try expectNothingInMemory()
    }

    @Test func `No password is left after its line has waited for the disk`() throws {
        let team = #"{"name":"Hawks","players":["Ann","Bo","Cy"]}"#
        let lines = (0..<20).flatMap { number in
            [
                #"send games createGame {"home":\#(team),"away":\#(team)}"#,
                line(right, at: "login/w", words: true, size: 0), "get games",
                line(wrong, at: "login/\(number % 3)", words: false, size: 500), "get login/w",
            ]
        }
        expectNothing(in: try exchange(lines), "an answer")
        try expectNothingInMemory()
        try expectNothingElsewhere()
    }

    /// Searches the events of all views, the files, and the log.
    private func expectNothingElsewhere() throws {
        for watcher in watchers {
            try watcher.send("ping")
            var lines: [String] = []
            while lines.last != #"{"ok":{}}"# { lines.append(try #require(try watcher.line())) }
            expectNothing(in: lines, "an event")
        }
        let files = try Child.run(
            "bash", "-c", "find \(bus.folder("state")) -type f | xargs cat | tr -d '\\0'")
        expectNothing(in: [files.output], "a file")
        expectNothing(in: [try bus.stop().errors], "the log")
    }
}

extension [UInt8] {
    fileprivate func pieces(of count: Int) -> [[UInt8]] {
        stride(from: 0, to: self.count, by: count).map {
            Array(self[$0..<Swift.min($0 + count, self.count)])
        }
    }
}
