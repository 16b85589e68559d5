import BusdProtocol
import Testing

@testable import viewctl

/// The lines of `watch --format`.
@Suite struct FormatTests {
    private func format(_ words: String...) throws -> Format? {
        try Format(arguments(["watch", "a"] + words))
    }

    private func state(_ home: String, _ text: String = "3 - 2") throws -> ViewModelState {
        var state = ViewModelState([:])
        var out = JSONWriter()
        out.event("teams") { $0.member("home", home) }
        state.apply(try json(String(decoding: out.bytes, as: UTF8.self)))
        state.apply(try json(#"{"score":{"text":"\#(text)","home":3,"none":null,"list":[1]}}"#))
        return state
    }

    private func line(_ template: String, _ home: String, _ bar: String? = nil) throws -> String? {
        let words = ["watch", "a", "--format", template] + (bar.map { ["--bar", $0] } ?? [])
        return try Format(arguments(words))?.text(of: try state(home))
    }

    @Test func `Values are put into the template`() throws {
        #expect(try line("{teams.home}: {score.text}", "Owls") == "Owls: 3 - 2")
        #expect(
            try line("{{{score.home}}}{score.none}{score.lead}{score.list}", "") == "{3}[1]")
        #expect(try line("{teams.home}", "a\nb\tc\u{1B}[31m") == "a b c [31m")
        #expect(try line("{score}", "")?.hasPrefix(#"{"text":"3 - 2""#) == true)
    }

    @Test(arguments: ["{", "}", "{a", "a}", "{}", "{a=1}", "{a.b", "{a..b}"])
    func `An incomplete template is refused`(text: String) { #expect(Template(text) == nil) }

    @Test func `Members make a JSON object`() throws {
        let format = try #require(
            try format(
                "--member", "text={score.text}", "-m", #"tooltip="{teams.home}" = {score.home}"#,
                "--away", "no game"))
        #expect(
            format.text(of: try state(#"O"ls"#))
                == #"{"text":"3 - 2","tooltip":"\"O\"ls\" = 3"}"#)
        #expect(format.awayText == #"{"text":"no game"}"#)
        #expect(try self.format("--format", "{a.b}", "--away", "-")?.awayText == "-")
        #expect(try self.format("--format", "{a.b}")?.awayText == nil)
    }

    @Test(arguments: [
        ("43% KNOWN", #"{"percentage":43}"#), ("3.5", #"{"percentage":3.5}"#),
        (" -7 ", #"{"percentage":-7}"#), ("1e5", #"{"percentage":1}"#), ("known", "{}"),
        ("", "{}"), ("1.2.3", "{}"), ("99999999999999999999", #"{"percentage":1e+20}"#),
    ])
    func `The member percentage is a number`(text: String, object: String) throws {
        let format = try format("--bar", "waybar", "-m", "percentage={teams.home}")
        #expect(format?.text(of: try state(text)) == object)
    }

    @Test func `Names of styles and icons have no markup`() throws {
        let members = ["class", "alt", "text"].flatMap { ["-m", "\($0)={teams.home}"] }
        let format = try Format(arguments(["watch", "a", "--bar", "waybar"] + members))
        #expect(
            format?.text(of: try state("A & 'B'"))
                == #"{"class":"A & 'B'","alt":"A & 'B'","text":"A &amp; &#39;B&#39;"}"#)
    }

    @Test(arguments: [
        ("waybar", #"<b>&"'"#, "<i>{teams.home}</i>", "<i>&lt;b&gt;&amp;&quot;&#39;</i>"),
        ("i3blocks", "<b>&", "<i>{teams.home}</i>", "<i>\u{2039}b\u{203A}+</i>"),
        ("polybar", "%{F#f00}%", "%{{B#00f}}{teams.home}", "%{B#00f}% {F#f00}%"),
        ("polybar", "{F#f00}", "50%{teams.home}", "50% {F#f00}"),
        ("polybar", "%", "{teams.home}{{x", "% {x"),
        ("tmux", "(x)", "Game #{teams.home}", "Game ##(x)"),
        ("waybar", "<\u{301}&\u{301}", "{teams.home}", "&lt;\u{301}&amp;\u{301}"),
        ("polybar", "%{\u{301}F}", "{teams.home}", "% {\u{301}F}"),
        ("tmux", "#\u{301}[fg=red]", "{teams.home}", "##\u{301}[fg=red]"),
        ("polybar", "43%", "{teams.home} of", "43% of"),
        ("tmux", "#(rm -r)#[fg=red]##", "#[bold]{teams.home}", "#[bold]##(rm -r)##[fg=red]####"),
    ])
    func `A value is harmless in its bar, and the template is not changed`(
        bar: String, home: String, template: String, shown: String
    ) throws {
        #expect(try line(template, home, bar) == shown)
    }

    @Test func `Options that do not fit together are refused`() throws {
        let cases: [(String?, String)] = [
            (
                usageMessage { try Watch(arguments("watch", "a", "--format", "{b")) },
                "viewctl watch: '{b' is no template: values are in braces, such as {score.text}, "
                    + "and {{ is a brace"
            ),
            (
                usageMessage { try Watch(arguments("watch", "a", "--format", "b")) },
                "viewctl watch: the template has no value, such as {score.text}"
            ),
            (
                usageMessage { try Watch(arguments("watch", "a", "--away", "b")) },
                "viewctl watch: --away is for --format and --member"
            ),
            (
                usageMessage { try Watch(arguments("watch", "a", "-f", "{b.c}", "-m", "d={e.f}")) },
                "viewctl watch: --format and --member exclude each other"
            ),
            (
                usageMessage { try Watch(arguments("watch", "a", "-m", "={e.f}")) },
                "viewctl watch: --member needs NAME=TEMPLATE, not '={e.f}'"
            ),
            (
                usageMessage { try Watch(arguments("watch", "a", "-f", "{b.c}", "--only", "b")) },
                "viewctl watch: --only and a format exclude each other"
            ),
            (
                usageMessage { try Watch(arguments("watch", "a/*", "-f", "{b.c}")) },
                "viewctl watch: --format needs exactly one address"
            ),
            (
                usageMessage { try Watch(arguments("watch", "a", "-f", "{b.c}", "--bar", "dwm")) },
                "viewctl watch: --bar needs waybar or i3blocks or polybar or tmux, not 'dwm'"
            ),
        ]
        for (found, expected) in cases { #expect(found == expected) }
    }
}
