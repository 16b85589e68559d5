import TestSupport
import Testing

/// Lists that name the same things in several files: packages of the system, targets of make.
struct PackageListTests {
    /// The packages that scripts/need.sh installs for a group, such as `build`.
    private func packages(_ group: String) throws -> [String] {
        let script = try Package.text("scripts/need.sh")
        let line = try #require(
            script.split(separator: "\n").first { $0.hasPrefix("        \(group)) echo ") })
        let words = line.split(separator: " ").dropFirst(2).prefix { $0 != ";;" }
        #expect(!words.isEmpty)
        return words.map(String.init)
    }

    @Test func `The README names every package that a build and its examples need`() throws {
        let readme = try Package.text("README.md")
        let start = try #require(readme.firstRange(of: "On another system, use"))
        let end = try #require(readme.firstRange(of: "## Five minutes with socat"))
        let named = readme[start.lowerBound..<end.lowerBound].matches(of: #/`([a-z0-9-]+)`/#)
            .map { String($0.output.1) }
        #expect(try Set(named) == Set(packages("build") + packages("run")))
    }

    @Test func `The tutorial names the number of packages that a build needs`() throws {
        let words = ["four", "five", "six", "seven", "eight", "nine"]
        let document = try Package.text("docs/tutorial.md")
        let count = try packages("build").count
        let word = try #require(words.indices.contains(count - 4) ? words[count - 4] : nil)
        #expect(document.contains("Swift 6.2 or newer, and \(word) packages of the system."))
    }

    @Test(arguments: ["build", "run", "docs", "deb", "test", "test-rest"])
    func `The container has every package that make check and make test need`(
        group: String
    ) throws {
        let words = try Package.text("Dockerfile").split { " \n".contains($0) }.map(String.init)
        #expect(try packages(group).filter { !words.contains($0) } == [])
    }

    // MARK: make

    @Test func `The command make help lists every target`() throws {
        let makefile = try Package.text("Makefile")
        let rules = makefile.matches(of: #/\n([a-z][a-z -]*):(?: [a-z -]+)?(?=\n)/#)
            .flatMap { $0.output.1.split(separator: " ").map(String.init) }
        let phony = try #require(makefile.firstMatch(of: #/\n\.PHONY:((?:[a-z -]|\\\n)*)\n/#))
            .output.1.split { " \\\n".contains($0) }.map(String.init)
        #expect(rules.count > 20 && Set(rules) == Set(phony))
        let help = try Child.run("make", "-s", "-C", Package.root, "help").output
        let listed = help.matches(of: #/(?m)^  make ([a-z-]+) /#).map { String($0.output.1) }
        #expect(listed.count == Set(listed).count)
        #expect(Set(listed) == Set(rules).subtracting(["help"]))
    }
}
