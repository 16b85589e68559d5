import BusdBooksEvents
import BusdEcho
import BusdGamesEvents
import BusdLoginEvents
import BusdProtocol
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// An enum of events, with the names in its source and the compiled type.
private struct Enum: CustomTestStringConvertible, Sendable {
    let file: String
    let kind: String
    let direction: String
    let examples: [String]
    /// The values that their example lacks, such as `undo.moves`.
    let lacking: [String]
    let roundTrip: @Sendable () throws -> Void
    /// Compares the plain reader and writer of the enum with `Codable`. Returns whether the enum
    /// writes any example plainly.
    let comparison: @Sendable () throws -> Bool
    /// The members that an event of the enum may have, and that its description lacks.
    let undescribed: @Sendable (MemberProbe) throws -> [String]

    var testDescription: String { "\(kind).\(direction)" }

    init<Event: WireEvent>(_ file: String, _ kind: String, _ direction: String, _: Event.Type) {
        self.file = file
        self.kind = kind
        self.direction = direction
        examples = Event.examples.map(\.name)
        lacking = Event.examples.flatMap { event in
            Mirror(reflecting: event).children.flatMap { Mirror(reflecting: $0.value).children }
                .filter { Mirror(reflecting: $0.value).isNil }
                .map { "\(event.name).\($0.label ?? "")" }
        }
        roundTrip = {
            for event in Event.examples {
                var out = JSONWriter()
                try out.value(encoding: event, revealingSecrets: true)
                let document = JSONDocument()
                try document.read(out.bytes)
                let root = try #require(document.root)
                #expect(try root.decode(Event.self, at: "event") == event)
                #expect(root.members.map(\.key.text) == [event.name])
            }
        }
        undescribed = { probe in try probe.undescribed(of: Event.self) }
        comparison = {
            var writesItself = false
            for event in Event.examples {
                var (plain, coded) = (JSONWriter(), JSONWriter())
                try coded.value(encoding: event, revealingSecrets: true)
                if event.writePlainly(to: &plain) {
                    #expect(
                        String(decoding: plain.bytes, as: UTF8.self)
                            == String(decoding: coded.bytes, as: UTF8.self))
                    writesItself = true
                } else {
                    #expect(plain.bytes.isEmpty)
                }
                let document = JSONDocument()
                try document.read(coded.bytes)
                let read = try? Event(plainly: #require(document.root))
                #expect(read == nil || read == event)
            }
            return writesItself
        }
    }

    static func both<Kind: ViewModelKind>(_ file: String, _ kind: Kind.Type) -> [Enum] {
        [
            Enum(file, "\(kind)", "ViewEvent", Kind.ViewEvent.self),
            Enum(file, "\(kind)", "ViewModelEvent", Kind.ViewModelEvent.self),
        ]
    }

    static let all: [Enum] = [
        both("Bus", BusViews.self), both("Bus", BusStatistics.self), both("Bus", BusClock.self),
        both("BusHouse", BusHouse.self), both("BusTraffic", BusConnections.self),
        both("BusTraffic", BusTap.self), both("BusAdministration", BusUsers.self),
        both("BusAdministration", BusStore.self), both("BusAdministration", BusPolicy.self),
        both("Echo", Echo.self),
        both("GameCreator", GameCreator.self),
        both("Games", Games.self),
        both("Player", Player.self),
        both("Plays", Plays.self),
        both("Scoreboard", Scoreboard.self),
        both("Books", Books.self),
        both("BookCreator", BookCreator.self),
        both("Study", Study.self),
        both("Cards", Cards.self),
        both("Login", Login.self),
    ].flatMap { $0 }
}

/// A source file of this package, found relative to this file.
private struct Source {
    /// The folders with the events of the bus and of the applications.
    private static let folders: [String] = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        let sources = parts.joined(separator: "/") + "/Sources"
        let applications = names(in: "\(sources)/ViewModels").map { "\(sources)/ViewModels/\($0)" }
        return ["\(sources)/Protocol/Events"] + applications + applications.map { "\($0)/Events" }
    }()

    let lines: [Substring]

    init(_ file: String) throws {
        let path = try #require(Self.files().first { $0.hasSuffix("/\(file).swift") })
        try self.init(path: path)
    }

    init(path: String) throws {
        lines = String(decoding: try bytes(of: path), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The cases of `enum direction` inside `enum kind`, found by indentation.
    func cases(_ kind: String, _ direction: String) -> [String] {
        let inKind = lines.drop { !$0.hasPrefix("public enum \(kind):") }.dropFirst()
            .prefix { $0 != "}" }
        return inKind.drop { !$0.hasPrefix("    public enum \(direction):") }.dropFirst()
            .prefix { !$0.hasPrefix("    }") && !$0.hasPrefix("    public") }
            .filter { $0.hasPrefix("        case ") }
            .map { line in
                String(line.dropFirst("        case ".count).prefix { $0.isLetter || $0.isNumber })
            }
    }

    /// The names in front of a colon: labels, variables and members.
    static let labels = Result {
        var labels: Set<String> = []
        for file in try files() {
            for line in try Source(path: file).lines {
                for part in line.utf8.split(separator: UInt8(ascii: ":")).dropLast() {
                    let name = part.reversed().prefix(while: \.isASCIILetterOrDigit)
                    let isLabel = name.last.map { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
                    guard isLabel == true else { continue }
                    labels.insert(String(decoding: name.reversed(), as: UTF8.self))
                }
            }
        }
        return labels.sorted()
    }

    static func files() throws -> [String] {
        let all = folders.flatMap { folder in names(in: folder).map { "\(folder)/\($0)" } }
            .filter { $0.hasSuffix(".swift") }
        try #require(!all.isEmpty, "\(folders) are not there")
        return all
    }
}

@Suite struct ExamplesTests {
    @Test(arguments: Enum.all)
    fileprivate func `The examples cover every case of an enum, in its order`(events: Enum) throws {
        let cases = try Source(events.file).cases(events.kind, events.direction)
        #expect(events.examples == cases)
        let silent = ["BusViews", "BusStatistics", "BusHouse", "BusConnections", "BusTap"]
        #expect(!cases.isEmpty || silent.contains(events.kind))
    }

    /// `describe` shows what the examples have.
    @Test(arguments: Enum.all)
    fileprivate func `Each example has all values of its event`(events: Enum) {
        #expect(events.lacking == [])
    }

    /// Otherwise `wait`, `get` and `--schema` of viewctl would not know a member that is sent.
    @Test(arguments: Enum.all)
    fileprivate func `Each member that an event may have is described`(events: Enum) throws {
        let labels = try Source.labels.get()
        #expect(labels.contains("isPaused"))
        #expect(try events.undescribed(MemberProbe(words: labels)) == [])
    }

    @Test(arguments: Enum.all)
    fileprivate func `Examples are read as written`(events: Enum) throws { try events.roundTrip() }

    @Test(arguments: Enum.all)
    fileprivate func `Examples are written plainly as Codable writes them`(events: Enum) throws {
        let plain = [
            "Echo", "Player", "Plays", "Scoreboard", "Games", "Books", "Cards", "BusViews",
        ].map { "\($0).ViewModelEvent" }
        #expect(try events.comparison() == plain.contains(events.testDescription))
    }

    @Test func `The examples of every kind are tested`() throws {
        let kinds = try Source.files().flatMap { file in
            try Source(path: file).lines.filter {
                $0.hasPrefix("public enum ") && $0.hasSuffix(": ViewModelKind {")
            }.compactMap { $0.split(separator: " ").dropFirst(2).first?.dropLast() }
        }
        #expect(Set(kinds.map(String.init)) == Set(Enum.all.map(\.kind)))
        #expect(kinds.count * 2 == Enum.all.count)
    }
}

extension Mirror {
    fileprivate var isNil: Bool { displayStyle == .optional && children.isEmpty }
}

extension UInt8 {
    fileprivate var isASCIILetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
