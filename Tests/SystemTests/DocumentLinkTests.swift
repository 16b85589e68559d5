import TestSupport
import Testing

/// Links, test names and paragraphs of the documents.
struct DocumentLinkTests {
    private static let documents = [
        "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Benchmarks/LOAD.md",
        "Benchmarks/RESULTS.md", "docs/architecture.md", "docs/bars.md",
        "docs/durability.md", "docs/durable-kinds.md", "docs/kinds.md", "docs/protocol.md",
        "docs/reliability.md", "docs/several-machines.md", "docs/signals.md", "docs/tutorial.md",
    ]

    /// Lines outside blocks of code.
    private func prose(of document: String) throws -> [Substring] {
        var isCode = false
        return try Package.text(document).split(separator: "\n", omittingEmptySubsequences: false)
            .filter { line in
                if line.drop(while: { $0 == " " }).hasPrefix("```") {
                    isCode.toggle()
                    return false
                }
                return !isCode
            }
    }

    /// The anchors of the headings of a document, as GitHub makes them.
    private func anchors(of document: String) throws -> Set<String> {
        Set(
            try prose(of: document).filter { $0.hasPrefix("#") }.map { heading in
                let title = heading.drop { $0 == "#" || $0 == " " }.lowercased()
                return String(
                    title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                        .map { $0 == " " ? "-" : $0 })
            })
    }

    @Test(arguments: documents)
    func `Every link leads to a file and to one of its headings`(document: String) throws {
        let folder = document.split(separator: "/").dropLast().joined(separator: "/")
        let text = try prose(of: document).joined(separator: "\n")
        for link in text.matches(of: #/\]\(([^)\s]+)\)/#).map(\.output.1) {
            guard !link.hasPrefix("https://") else { continue }
            let parts = link.split(separator: "#", omittingEmptySubsequences: false)
            let path = parts[0].isEmpty ? document : Self.resolved(parts[0], in: folder)
            let exists = try Child.run("test", "-e", Package.path(path)).status == 0
            #expect(exists, "\(document): \(link)")
            if exists, parts.count == 2, path.hasSuffix(".md") {
                #expect(
                    try anchors(of: path).contains(String(parts[1])), "\(document): \(link)")
            }
        }
    }

    private static func resolved(_ path: Substring, in folder: String) -> String {
        var parts = folder.split(separator: "/")
        for part in path.split(separator: "/") {
            if part == ".." { parts.removeLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }

    @Test func `Every test that docs/reliability.md names exists`() throws {
        let files = try Child.run("find", Package.path("Tests"), Package.path("Benchmarks")).output
        let text = try prose(of: "docs/reliability.md").joined(separator: "\n")
        let names = text.matches(of: #/`([A-Za-z]+Tests(?:/[A-Za-z]+)?)`/#).map(\.output.1)
        #expect(names.count > 30)
        for name in names {
            #expect(
                files.contains("/\(name).swift\n") || files.contains("/\(name)\n"), "\(name)")
        }
    }

    @Test(arguments: documents)
    func `No paragraph has more than six lines`(document: String) throws {
        var length = 0
        var first: Substring = ""
        for line in try prose(of: document) {
            let text = line.drop { $0 == " " }
            let begins = [#"- "#, "|", "#", "<", "> "].contains { text.hasPrefix($0) }
            if text.isEmpty || begins { length = 0 }
            if length == 0 { first = line }
            length += text.isEmpty ? 0 : 1
            #expect(length <= 6, "\(document): \(first)")
        }
    }
}
