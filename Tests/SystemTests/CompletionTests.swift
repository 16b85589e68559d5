import TestSupport
import Testing

/// The completions of viewctl in real shells, with a real daemon.
@Suite(.needs("bash", "zsh", "fish"))
struct CompletionTests {
    private let bus: ServedBus

    init() throws {
        bus = try ServedBus()
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
        let outcome = try Child(
            [shell, "-c", script],
            environment: [
                "BUSD_SOCKET": bus.socket, "HOME": bus.folder.path,
                "PATH": "\(try Products.folder):/usr/local/bin:/usr/bin:/bin",
            ]
        ).outcome()
        #expect(outcome.errors == "")
        return outcome.output.split(separator: "\n").map { line in
            String(line.prefix { $0 != "\t" && !(shell == "zsh" && $0 == ":") })
        }.sorted()
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `verbs, options and live addresses are completed`(shell: String) throws {
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
}
