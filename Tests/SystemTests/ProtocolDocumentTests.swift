import BusdClient
import BusdEcho
import BusdGamesEvents
import BusdProtocol
import Testing

/// Each line of the wire in the documents is a line that busd reads or writes.
struct ProtocolDocumentTests {
    @Test(arguments: ["docs/protocol.md", "README.md", "docs/man/busd-protocol.7"])
    func `Each line of JSON is a request, a line of the bus, or an event`(document: String) throws {
        let lines = try Self.code(of: document).filter { $0.hasPrefix("{") }
        #expect(document != "docs/protocol.md" || lines.count > 30)
        for line in lines {
            #expect(throws: Never.self, "\(line)") { try Self.check(line) }
        }
    }

    @Test(arguments: ["docs/protocol.md", "README.md", "docs/man/busd-protocol.7"])
    func `Each line of words is a request`(document: String) throws {
        let words = try Self.code(of: document)
            .flatMap { line in line.split(separator: #/ {2,}/#).map(String.init) }
            .filter { line in Self.operations.contains { line == $0 || line.hasPrefix("\($0) ") } }
        #expect(document != "docs/protocol.md" || words.count > 8)
        for line in words {
            #expect(throws: Never.self, "\(line)") {
                let json = JSONDocument()
                try json.read(try Words.json(Array(line.utf8)))
                _ = try Request(json, limits: Limits())
            }
        }
    }

    @Test func `The protocol document shows each request`() throws {
        let lines = try Self.code(of: "docs/protocol.md")
        for op in Self.operations + ["hello"] {
            #expect(lines.contains { $0.hasPrefix(#"{"op":"\#(op)""#) }, "\(op)")
        }
    }

    @Test func `The protocol document shows the default limits`() throws {
        var limits = JSONWriter()
        Limits().write(to: &limits)
        let text = String(decoding: limits.bytes, as: UTF8.self)
        #expect(try Package.text("docs/protocol.md").contains(text))
    }

    // MARK: Reading a document

    private static let operations = Request.examples.map(\.op).filter { $0 != "hello" }

    /// The lines between fences, or between .nf and .fi in a man page.
    private static func code(of document: String) throws -> [String] {
        var isCode = false
        var code: [String] = []
        for line in try Package.text(document).split(separator: "\n") {
            if line.hasPrefix("```") || line == ".nf" || line == ".fi" {
                isCode = line == ".nf" || (line.hasPrefix("```") && !isCode)
            } else if isCode {
                code.append(String(line.replacing(#"\-"#, with: "-")))
            }
        }
        return code
    }

    // MARK: Reading a line

    private struct NotOurs: Error {}

    private static func check(_ line: String) throws {
        let json = JSONDocument()
        try json.read(Array(line.utf8))
        let root = try #require(json.root)
        if root["op"] != nil {
            _ = try Request(json, limits: Limits())
            return
        }
        switch BusLine(root) {
        case .event(let event): if !isEvent(event.event) { throw NotOurs() }
        case .unknown: if !isEvent(root) { throw NotOurs() }
        default: break
        }
    }

    private static var kinds: [any ViewModelKind.Type] {
        [
            Games.self, GameCreator.self, Scoreboard.self, Player.self, Echo.self, BusViews.self,
            BusStatistics.self, BusClock.self,
        ]
    }

    private static func isEvent(_ value: JSONValue) -> Bool {
        func isEvent<Kind: ViewModelKind>(of kind: Kind.Type) -> Bool {
            (try? value.decode(Kind.ViewEvent.self, at: "")) != nil
                || (try? value.decode(Kind.ViewModelEvent.self, at: "")) != nil
        }
        return kinds.contains { isEvent(of: $0) }
    }
}
