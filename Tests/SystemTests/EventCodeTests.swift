import TestSupport
import Testing

/// The generated code of the event enums: scripts/event-code.sh, which `make check` runs too.
struct EventCodeTests {
    private let script = Package.path("scripts/event-code.sh")

    @Test func `The generated code of the events is up to date`() throws {
        let outcome = try Child.run(script, "--check")
        #expect(outcome.status == 0, "run scripts/event-code.sh\n\(outcome.output)")
    }

    @Test func `The script generates the code of a file, and notices a later change`() throws {
        let folder = try Folder()
        try folder.write(
            """
            public import BusdProtocol

            public enum Bell: ViewModelKind {
                public enum ViewEvent: BusyEvent {
                    case ring(times: Int = 1, note: String? = nil)
                    // case hide(it: Int)
                    case `repeat`, stop

                    public static let examples: [Self] = [.ring(times: 1), .repeat, .stop]
                }

                enum ViewModelEvent: BusyEvent, Hashable {
                    case rang(
                        times: Int, note: [String: Int])
                    case stopped, silent
                    case again(
                        times: Int, note: [String: Int])
                }

                struct Row: Codable, PlainJSON {
                    static let first = 1
                    let text: String
                    var `in`: Int? = nil
                    var isLong: Bool { false }
                }

                enum Other: WireEvent {
                    case a
                }

                enum Nothing: BusyEvent, NoEvent {}
            }

            """, to: "Bell.swift")
        try folder.write("struct Tone: Codable { enum A { case a(Int) } }\n", to: "Tone.swift")
        try Child.run(script, folder.path).expect()
        #expect(names(in: folder("Generated")) == ["Bell+Events.swift"])
        #expect(
            try folder.text(of: "Generated/Bell+Events.swift") == """
                // Generated from Bell.swift by scripts/event-code.sh.
                // To change it, change that file and run the script.

                public import BusdProtocol

                extension Bell.ViewEvent {
                    public init(plainly json: JSONValue) throws(NotPlain) {
                        var json = try PlainReader(json)
                        switch json.name {
                        case "ring":
                            self = try .ring(times: json.member("times"), note: json.optionalMember("note"))
                        case "repeat": self = .`repeat`
                        case "stop": self = .stop
                        default: throw NotPlain()
                        }
                        try json.end()
                    }
                }

                extension Bell.ViewModelEvent {
                    var name: String {
                        switch self {
                        case .rang: "rang"
                        case .stopped: "stopped"
                        case .silent: "silent"
                        case .again: "again"
                        }
                    }

                    func writePlainly(to out: inout JSONWriter) -> Bool {
                        out.plainEvent(name) { out in
                            switch self {
                            case .rang(let times, let note), .again(let times, let note):
                                out.member("times", times) && out.member("note", note)
                            case .stopped, .silent: true
                            }
                        }
                    }
                }

                extension Bell.Row {
                    func write(to out: inout JSONWriter) {
                        out.plainObject { out in
                            out.member("text", text) && out.member("in", `in`)
                        }
                    }
                }

                """)
        try Child.run(script, "--check", folder.path).expect()

        try folder.write("enum ViewEvent: BusyEvent {\n    case a\n}\n", to: "Bell.swift")
        let outcome = try Child.run(script, "--check", folder.path)
        #expect(outcome.status == 1)
        #expect(
            outcome.errors == "The code of the events is not up to date. "
                + "Run: scripts/event-code.sh \(folder.path)\n")
        try Child.run("rm", folder("Bell.swift")).expect()
        try Child.run(script, folder.path).expect()
        #expect(names(in: folder("Generated")) == [])
    }

    @Test(arguments: [
        ("case a(Int)", "2: each value of a needs a label"),
        ("case a(_ b: Int)", "2: each value of a needs a label"),
        ("case a\n    enum CodingKeys: String, CodingKey {", "3: \(codable)"),
        ("case a\n    init(from decoder: any Decoder) throws {", "3: \(codable)"),
    ])
    func `An enum without labels or with a Codable is refused`(body: String, why: String) throws {
        let folder = try Folder()
        try folder.write("enum ViewEvent: BusyEvent {\n    \(body)\n}\n", to: "A.swift")
        try Child.run(script, folder.path)
            .expect(status: 65, errors: "\(folder("A.swift")):\(why)\n")
        #expect(folder.names == ["A.swift"])
    }

    private static let codable = "a BusyEvent has the Codable that Swift synthesises"
}
