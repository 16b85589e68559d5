import TestSupport
import Testing

/// docs/architecture.md names files, types and methods. Each of them exists.
@Suite struct `Names in the architecture page` {
    /// Paths of files and folders.
    private let paths: [String]
    /// The names of files, without their extensions.
    private let files: Set<String>
    /// The names that some declaration in Sources or Tests introduces.
    private let declared: Set<String>
    /// The words of the wire.
    private let words: Set<String>

    init() throws {
        let tops = ["Sources", "Tests", "docs", "scripts", "Package.swift"].map(Package.path)
        paths = try Child.run("find", tops[0], tops[1], tops[2], tops[3], tops[4]).output.split(
            separator: "\n"
        ).map { String($0) }
        files = Set(
            paths.compactMap { $0.split(separator: "/").last?.split(separator: ".").first }
                .map { String($0) })
        let declarations = try Child.run(
            "grep", "-rhoE", "--include=*.swift",
            #"\b(func|var|let|struct|class|enum|protocol|typealias) [A-Za-z]+|\bcase [a-z].*"#,
            tops[0], tops[1]
        ).output
        declared = Set(declarations.matches(of: #/[A-Za-z]+/#).map { String($0.output) })
        words = Set(
            try Package.text("docs/protocol.md").matches(of: #/[A-Za-z]+/#).map {
                String($0.output)
            })
    }

    /// Why the name is wrong; `nil`: it is right, or no name of the code.
    private func problem(_ name: Substring) throws -> String? {
        if name.wholeMatch(of: #/make [a-z-]+/#) != nil {
            let target = "\n\(name.dropFirst(5)):"
            return try Package.text("Makefile").contains(target) ? nil : "no such target"
        }
        if name.wholeMatch(of: #/(?:[\w+.-]+\/)*[\w+-]*\/|(?:[\w+-]+\/)+[\w+.-]+|[\w+]+\.swift/#)
            != nil
        {
            let end = "/" + (name.last == "/" ? name.dropLast() : name)
            let isPlaceholder = name.contains("Topic") || name.contains("ROOM")
            let isAddress = words.contains(String(name.prefix { $0 != "/" }))
            return isPlaceholder || isAddress || paths.contains { ("/\($0)/").contains("\(end)/") }
                ? nil : "no such path"
        }
        guard
            let match = name.wholeMatch(
                of: #/([A-Za-z]+(?:\+[A-Za-z]+)?)(?:\.([a-z]\w*))?(?:\([\w:, ]*\))?/#)
        else { return nil }
        let owner = String(match.output.1)
        if !files.contains(owner), !declared.contains(owner), !words.contains(owner) {
            return "nothing has this name"
        }
        guard let member = match.output.2.map({ String($0) }) else { return nil }
        return declared.contains(member) ? nil : "no such member"
    }

    @Test func `Each file, type and method that the page names exists`() throws {
        let names = try Package.text("docs/architecture.md").matches(of: #/`([^`\n]+)`/#)
            .map(\.output.1)
        #expect(names.count > 200)
        for name in names { #expect(try problem(name) == nil, "\(name)") }
    }

    @Test(arguments: [
        "Bus+Nothing", "NoSuchType", "Roster.nothingLikeIt", "Sources/busd/Nowhere",
        "Nowhere.swift", "make nothing", "nothingLikeIt(of:)",
        "Nowhere/",
    ])
    func `A name of nothing is found out`(name: String) throws {
        #expect(try problem(name[...]) != nil)
    }
}
