import TestSupport
import Testing

/// Quoted code, the first commands of the README, and the tutorial's list of taken names.
struct DocumentTests {
    // MARK: Quoted code

    private let script = Package.path("scripts/quote-files.sh")

    @Test func `Every quoted block in the documents equals its file`() throws {
        try Child.run(script).expect()
    }

    @Test(arguments: [
        ("file", "let a = 1\nlet b = 2\n", ""),
        ("file", "let a = 1\n", "DOCUMENT:2: the block is not A.swift\n"),
        ("part", "let b = 2\n", ""),
        ("part", "    let a = 1\n", "DOCUMENT:2: the block is no part of A.swift\n"),
        ("part", "let b\n", "DOCUMENT:2: the block is no part of A.swift\n"),
    ])
    func `A block that differs from its file is reported`(
        kind: String, block: String, complaint: String
    ) throws {
        let folder = try Folder()
        try folder.write("let a = 1\nlet b = 2\n", to: "A.swift")
        try folder.write(
            "Text\n<!-- \(kind): A.swift -->\n```swift\n\(block)```\n", to: "B.md")
        try Child.run(script, folder.path).expect(
            status: complaint.isEmpty ? 0 : 1,
            errors: complaint.replacing("DOCUMENT", with: "B.md"))
        if kind == "file" {
            try Child.run(script, "--write", folder.path).expect()
            try Child.run(script, folder.path).expect()
        }
    }

    @Test(arguments: [
        ("A-1.swift", "let b = 2\n", ""),
        (
            "A-1.swift", "let b = 2\nlet a = 1\n",
            "A-1.swift:2: the line is not in Examples/A.swift, or it is not in this place\n"
        ),
        ("A-2.swift", "let a = 1\nlet b = 2\n", ""),
        ("A-2.swift", "let a = 1\n", "A-2.swift: the last step is not Examples/A.swift\n"),
    ])
    func `A step of a tutorial that differs from its file is named`(
        step: String, text: String, complaint: String
    ) throws {
        let folder = try Folder()
        let steps = "docs/Tutorials.docc/Resources"
        try Child.run("mkdir", "-p", folder(steps), folder("Examples")).expect()
        try folder.write("let a = 1\nlet b = 2\n", to: "Examples/A.swift")
        try folder.write("let a = 1\nlet b = 2\n", to: "\(steps)/A-2.swift")
        try folder.write(text, to: "\(steps)/\(step)")
        try Child.run(script, folder.path).expect(
            status: complaint.isEmpty ? 0 : 1,
            errors: complaint.isEmpty ? "" : "\(steps)/\(complaint)")
    }

    // MARK: The site

    @Test(.needs("mandoc"))
    func `The page of a program has its picture and links to other pages`() throws {
        let folder = try Folder()
        try Child.run("mkdir", folder("man"), folder("pictures")).expect()
        try folder.write(
            ".TH A 1\n.SH NAME\na \\- counts\n.SH SEE ALSO\n.BR b (8)\n", to: "man/a.1")
        try folder.write(".TH B 8\n.SH NAME\nb \\- serves\n", to: "man/b.8")
        try folder.write("<svg/>", to: "pictures/screen-a.svg")
        try Child.run(
            Package.path("scripts/manual-site.sh"), folder("man"), folder("pictures"),
            folder("site")
        ).expect()
        #expect(
            names(in: folder("site")) == ["a.1.html", "b.8.html", "index.html", "screen-a.svg"])
        let page = try folder.text(of: "site/a.1.html")
        #expect(page.contains(#"<img src="screen-a.svg" alt="The screen of a">"#))
        #expect(page.contains(#"<a href="b.8.html"><b>b</b>(8)</a>"#))
        #expect(try !folder.text(of: "site/b.8.html").contains("<img"))
        #expect(try folder.text(of: "site/index.html").contains("b(8)</a>: serves"))
    }

    // MARK: README

    /// Runs the block with `make` in place of `make try`, the programs of this build, and the
    /// folder in place of that of the socket.
    private func firstBlock(
        make: String, _ folder: String, then end: String = ""
    ) throws -> Child.Outcome {
        let readme = try Package.text("README.md")
        let start = try #require(readme.firstRange(of: "```console\nmake try && "))
        let rest = readme[start.upperBound...]
        let block = rest[..<(try #require(rest.firstRange(of: "```"))).lowerBound]
            .replacing("/tmp/busd-try", with: folder)
            .replacing("$PWD/.build/debug", with: try Products.folder)
        let path = "PATH=\(try Products.folder):$PATH"
        return try Child.run("bash", "-c", "\(path)\n\(make) && \(block)\(end)", input: "")
    }

    @Test(.needs("socat", "jq"))
    func `The first block of the README can be pasted whole`() throws {
        let folder = try Folder()
        let outcome = try firstBlock(make: "true", folder.path, then: "kill $!\nwait")
        #expect(outcome.output.contains(#""text":"2 - 0""#), "\(outcome)")
        #expect(outcome.output.contains(#""text":"0 - 0""#), "\(outcome)")
        #expect(outcome.errors.hasSuffix("busd: done\n"), "\(outcome)")
    }

    @Test func `The first block of the README ends if the build fails`() throws {
        try firstBlock(make: "false", try Folder().path).expect(status: 1)
    }

    @Test(.needs("socat", "jq"))
    func `The first block of the README ends with the error of the daemon`() throws {
        let folder = try Folder()
        try folder.write("", to: "file")
        let outcome = try firstBlock(make: "true", folder("file/a"))
        #expect(outcome.status == 1 && outcome.output == "", "\(outcome)")
        #expect(
            outcome.errors.hasPrefix(
                "busd: \(folder("file")): is not a folder: choose another path\n"), "\(outcome)")
    }

    // MARK: Names that are taken

    @Test func `The tutorial lists the targets without a prefix and the public types`() throws {
        let document = try Package.text("docs/tutorial.md")
        let start = try #require(document.firstRange(of: "### 10. Names that are taken"))
        let listed = Set(
            document[start.upperBound...].matches(of: #/`([A-Za-z]+)`/#).map { String($0.output.1) }
        )
        let calls = "room|program|screenProgram|systemLibrary|target|executableTarget"
        let target = try Regex<(Substring, Substring)>(
            #"(?:\#(calls))\(\s*(?:name: )?"([A-Za-z]+)""#)
        let targets = try Package.text("Package.swift").matches(of: target)
            .map { String($0.output.1) }
        #expect(targets.count > 20)
        for target in targets where !target.hasPrefix("Busd") && !target.hasPrefix("CBusd") {
            #expect(listed.contains(target), "\(target)")
        }

        let sources = try Child.run(
            "bash", "-c",
            "cat \(Package.path("Sources/Protocol"))/*/*.swift "
                + "\(Package.path("Sources/Protocol"))/*/*/*.swift"
        ).output
        let words = "class|struct|enum|protocol|typealias"
        let type = try Regex<(Substring, Substring)>(
            #"\n(?:@[a-z]+ )?public (?:final )?(?:\#(words)) ([A-Za-z]+)"#)
        let types = sources.matches(of: type).map { String($0.output.1) }
        #expect(types.count > 50)
        for type in types { #expect(listed.contains(type), "\(type)") }
    }
}
