import TestSupport
import Testing

/// The plots of Benchmarks/RESULTS.md: scripts/plots.sh, which `make check` runs too.
struct PlotTests {
    @Test func `The plots show the figures of their tables`() throws {
        try Child.run(Package.path("scripts/plots.sh"), "--check").expect()
    }

    @Test func `A plot that is missing is reported, and drawn`() throws {
        let folder = try Folder()
        let script = Package.path("scripts/plots.sh")
        let outcome = try Child.run(script, "--check", folder.path)
        #expect(outcome.status == 1)
        #expect(
            outcome.output.hasPrefix(
                "plot-say.svg is not what Benchmarks/RESULTS.md says: run make pictures\n"))
        try Child.run(script, folder.path).expect()
        try Child.run(script, "--check", folder.path).expect()
    }

    private func plot(_ table: String, _ settings: String...) throws -> Child.Outcome {
        let variables = (["heading=Costs", "title=All"] + settings).flatMap { ["-v", $0] }
        return try Child(
            ["awk", "-f", Package.path("scripts/plot.awk")] + variables + ["-"],
            input: "## Costs\n\n\(table)\n## Other\n\n| | a |\n|-|-|\n| busd | 9 |\n"
        ).outcome()
    }

    @Test func `A bar has the length of its figure, a line its least and most, a mark its goal`()
        throws
    {
        let outcome = try plot(
            """
            |       | cost             | goal         | other |
            |-------|------------------|--------------|-------|
            | busd  | 2.55 (1.02-5.10) | at most 4.08 | 9     |
            | Redis | 1,020 kB         |              | 9     |
            | last  | 3                |              | 9     |

            """, "columns=cost", "rows=busd|last")
        #expect(outcome.status == 0)
        let busd =
            #"<rect x="130" y="66" width="255.0" height="14" rx="2" class="strong"/>"#
            + "\n" + #"<path d="M232.0 73H640.0"/>"# + "\n"
            + #"<path d="M538.0 64v18" class="goal"/>"# + "\n"
            + #"<text x="646" y="77" class="strong">2.55</text>"#
        #expect(outcome.output.contains(busd), "\(outcome)")
        #expect(outcome.output.contains(#"y="86" width="300.0" height="14" rx="2" class="figure""#))
        #expect(!outcome.output.contains("Redis"))
    }

    @Test func `A table without figures is an error`() throws {
        try plot("none here\n").expect(
            status: 1, errors: "no figures for \"All\" below \"## Costs\"\n")
    }
}
