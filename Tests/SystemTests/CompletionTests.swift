import TestSupport
import Testing

/// The completions of viewctl in real shells, with a real daemon.
@Suite(.needs("bash", "zsh", "fish"))
struct CompletionTests {
    private let bus: BusFixture

    init() throws {
        bus = try BusFixture()
        let game = #"{"home":{"name":"T","players":["a"]},"away":{"name":"U","players":["b"]}}"#
        #expect(
            try bus.run(try Products.path("viewctl"), "send", "games", "createGame", game).status
                == 0)
    }

    /// The candidates, without their help.
    private func complete(_ shell: String, _ words: String...) throws -> [String] {
        try complete(shell, words)
    }

    private func complete(_ shell: String, _ words: [String]) throws -> [String] {
        try candidates(of: shell, start(shell, words, bus.socket))
    }

    private func candidates(of shell: String, _ child: Child) throws -> [String] {
        let outcome = try child.outcome()
        #expect(outcome.errors == "")
        return outcome.output.split(separator: "\n").map { line in
            String(line.prefix { $0 != "\t" && !(shell == "zsh" && $0 == ":") })
        }.sorted()
    }

    private func start(_ shell: String, _ words: [String], _ socket: String) throws -> Child {
        let line = (["viewctl"] + words).joined(separator: " ")
        let script =
            switch shell {
            case "bash":
                """
                source <(viewctl --completion bash)
                COMP_WORDS=(\(line) \(words.last == "" ? "''" : "")) COMP_CWORD=\(words.count)
                _viewctl
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            case "zsh":
                """
                compdef() { : }
                _describe() { print -l -- "${(P@)2}" }
                eval "$(viewctl --completion zsh)"
                words=(\(line) \(words.last == "" ? "''" : "")) CURRENT=\(words.count + 1)
                _viewctl
                """
            default: "viewctl --completion fish | source; complete -C '\(line)'"
            }
        return try Child(
            [shell, "-c", script],
            environment: [
                "BUSD_SOCKET": socket, "HOME": bus.folder.path,
                "PATH": "\(try Products.folder):/usr/local/bin:/usr/bin:/bin",
            ])
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `Verbs, options and live addresses are completed`(shell: String) throws {
        #expect(try complete(shell, "wa") == ["wait", "watch"])
        #expect(try complete(shell, "get", "--c") == ["--cursor"])
        #expect(
            try complete(shell, "get", "scoreboard/1/") == [
                "scoreboard/1/away/1", "scoreboard/1/home/1", "scoreboard/1/plays",
            ])
        #expect(
            try complete(shell, "send", "scoreboard/1", "re") == [
                "redo", "renamePlayer", "renameTeam", "resume",
            ])
        for verb in ["get", "wait"] {
            #expect(
                try complete(shell, verb, "scoreboard/1", "score.home", "fin") == [
                    "finished.isFinished", "finished.winner",
                ])
        }
        #expect(
            try complete(shell, "watch", "games", "--bar", "") == [
                "i3blocks", "polybar", "tmux", "waybar",
            ])
        for words in [["get", "score"], ["send", "scoreboard/1", "re"]] {
            #expect(try complete(shell, ["--host", "x"] + words) == [])
        }
        _ = try bus.stop()
        #expect(try complete(shell, "get", "score") == [])
    }

    /// A shell would run some of them.
    @Test(arguments: ["bash", "zsh", "fish"])
    func `Only an address or a name of a daemon reaches the command line`(shell: String) throws {
        let hostile = [
            "$(touch${IFS}x)", "`x`", "a;x", "a b", "*files", "", "-\\u001b", "a\\nb", "é",
        ]
        func answers(_ words: [String], _ list: (String) -> String) throws -> [String] {
            let daemon = try FakeDaemon()
            let child = try start(shell, words, daemon.socket)
            let conversation = daemon.accept()
            var request = try conversation.line()
            while let line = request, !line.contains("list"), !line.contains("describe") {
                request = try conversation.line()
            }
            let asked = try #require(request)
            let id = try #require(asked.firstMatch(of: #/"id":(\d+)/#)).output.1
            let rows = (hostile + ["good"]).map(list).joined(separator: ",")
            let answer =
                #"{"ok":{"kind":"k","viewModels":[\#(rows)],"viewEvents":[\#(rows)]},"id":\#(id)}"#
            try conversation.sendAll(Array((answer + "\n").utf8))
            return try candidates(of: shell, child)
        }
        let addresses = try answers(["get", ""]) { #"{"address":"\#($0)","kind":"$(x)"}"# }
        #expect(addresses == ["good"])
        #expect(try answers(["send", "a", ""]) { #"{"name":"\#($0)"}"# } == ["good"])
        _ = try bus.stop()
    }
}
