import Testing

@testable import BusdOptions

/// What may come next on a command line.
@Suite struct CompletionTests {
    private let program = Program(
        "tool", version: "1", "Does things.",
        options: [
            Option("socket", "s", argument: "PATH", "the socket"), Option("json", nil, "JSON"),
            Option("bar", argument: "BAR", choices: ["tmux", "i3"], "the bar"),
        ],
        verbs: [
            Verb(
                "get", "print values", options: [Option("cursor", "c", "and the cursor")],
                operands: [Operand("ADDRESS"), Operand("PATH", .oneOrNone)]),
            Verb("watch", "watch", operands: [Operand("PATTERN"), Operand("PATTERN", .any)]),
            Verb(
                "send", "send",
                operands: [Operand("ADDRESS"), Operand("EVENT"), Operand("VALUE", .any)]),
            Verb("ping", "ping"),
        ])

    private func words(_ completion: Completion) -> [String]? {
        guard case .words(let candidates) = completion else { return nil }
        return candidates.map(\.word)
    }

    @Test func `First comes a verb, then its operands`() {
        for words in [[], [""], ["g"], ["--json", ""], ["-s", "x", ""], ["--socket=x", ""]] {
            #expect(self.words(program.completion(of: words)) == ["get", "watch", "send", "ping"])
        }
        for words in [
            ["get", ""], ["-s", "x", "get", ""], ["get", "-c", ""], ["watch", "a", "b", ""],
        ] {
            #expect(program.completion(of: words) == .addresses)
        }
        #expect(program.completion(of: ["get", "a", ""]) == .files)
        #expect(program.completion(of: ["send", "a", "b"]) == .events(to: "a"))
        #expect(program.completion(of: ["send", "a", "b", "c", ""]) == .values(of: "a"))
        for words in [["get", "a", "b", ""], ["ping", ""], ["put", ""]] {
            #expect(program.completion(of: words) == .nothing)
        }
    }

    @Test func `An option, and its argument, can come everywhere`() {
        let common = ["--socket", "--json", "--bar", "--help", "--version"]
        #expect(words(program.completion(of: ["-"])) == common)
        #expect(words(program.completion(of: ["get", "a", "--"])) == ["--cursor"] + common)
        #expect(program.completion(of: ["-s", ""]) == .files)
        #expect(words(program.completion(of: ["--bar", "t"])) == ["tmux", "i3"])
        #expect(program.completion(of: ["get", "--socket", "g"]) == .files)
    }

    @Test func `A program with operands of its own completes its options and its verbs`() {
        #expect(words(shelf.completion(of: [""])) == ["import"])
        #expect(shelf.completion(of: ["3", ""]) == .nothing)
        #expect(shelf.completion(of: ["import", ""]) == .files)
        let own = ["--quiet", "--timeout", "--socket", "--help", "--version"]
        #expect(words(shelf.completion(of: ["3", "-"])) == own)
        #expect(
            words(shelf.completion(of: ["import", "-"]))
                == ["--timeout", "--socket", "--help", "--version"])
    }

    @Test func `Candidates are printed with their help`() throws {
        #expect(try program.parse(["--complete", "g"]) == .show("get\tprint values\n"))
        #expect(
            try program.parse(["--complete", "get", "--c"]) == .show("--cursor\tand the cursor\n"))
        #expect(try program.parse(["--complete", "-s", ""]) == .show("*files\n"))
        #expect(try program.parse(["--complete"]) == program.parse(["--complete", ""]))
    }

    @Test func `A script is for one of three shells`() throws {
        for shell in ["bash", "zsh", "fish"] {
            guard case .show(let script) = try program.parse(["--completion", shell]) else {
                Issue.record("\(shell) has no script")
                continue
            }
            #expect(script.contains("tool --complete"))
        }
        for words in [
            ["--completion"], ["--completion", "tcsh"], ["--completion", "bash", "zsh"],
        ] {
            #expect(throws: UsageError.self) { try program.parse(words) }
        }
    }
}
