import TestSupport
import Testing

/// Quoted code, the first commands of the README, and the tutorial's list of taken names.
struct DocumentTests {
    // MARK: Quoted code

    private let script = Package.path("scripts/quote-files.sh")

    @Test func `every quoted block in the documents equals its file`() throws {
        try Child.run(script).expect()
    }

    @Test(arguments: [
        ("file", "let a = 1\nlet b = 2\n", ""),
        ("file", "let a = 1\n", "DOCUMENT:2: the block is not A.swift\n"),
        ("part", "let b = 2\n", ""),
        ("part", "    let a = 1\n", "DOCUMENT:2: the block is no part of A.swift\n"),
        ("part", "let b\n", "DOCUMENT:2: the block is no part of A.swift\n"),
    ])
    func `a block that differs from its file is reported`(
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

    // MARK: README

    @Test(.enabled(if: areHere("socat", "jq")))
    func `the first block of the README can be pasted whole`() throws {
        let folder = try Folder()
        let readme = try Package.text("README.md")
        let start = try #require(readme.firstRange(of: "```console\nmake build && "))
        let rest = readme[start.upperBound...]
        let block = rest[..<(try #require(rest.firstRange(of: "```"))).lowerBound]
        let programs = try Products.path("busd").dropLast("/busd".count)
        let lines = block.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
            .joined(separator: "\n")
            .replacing("/tmp/busd-try", with: folder.path)
        let came = try Child.run(
            "bash", "-c", "PATH=\(programs):$PATH\n\(lines)\nkill $!\nwait", input: "")
        #expect(came.output.contains(#""text":"2 - 0""#), "\(came)")
        #expect(came.output.contains(#""text":"0 - 0""#), "\(came)")
        #expect(came.errors.hasSuffix("busd: done\n"), "\(came)")
    }

    // MARK: Names that are taken

    @Test func `the tutorial lists the targets without a prefix and the public types`() throws {
        let document = try Package.text("VIEWMODELS.md")
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
