import TestSupport
import Testing

/// The rules that no compiler checks: scripts/house-rules.sh, which `make check` runs too.
struct HouseRulesTests {
    private let script = Package.path("scripts/house-rules.sh")

    @Test func `The package keeps the rules`() throws {
        try Child.run(script).expect()
    }

    @Test(arguments: [
        ("Sources/Options/A.swift", "import CBusdLibevent"),
        ("Sources/EventLoop/A.swift", "import CBusdNcurses"),
        ("Sources/busd/Broker/A.swift", "import CBusdSQLite"),
        ("Sources/Storage/A.swift", "import CBusdSodium"),
        ("Sources/clients/web/A.swift", "import CBusdMicrohttpd"),
        ("Sources/Storage/A.swift", "let a = open(path, O_RDONLY)"),
        ("Sources/busd/Daemon/A.swift", "let a = Glibc.open(path, flags)"),
        ("Sources/clients/viewctl/A.swift", #"guard let a = fopen(path, "re") else { return }"#),
        ("Sources/clients/web/A.swift", "guard fsync(file) == 0, rename(new, path) == 0 else {"),
        ("Sources/busd/Daemon/A.swift", "try check(\"rename\") { rename(new, path) }"),
        ("Sources/clients/viewctl/A.swift", "clock_gettime(CLOCK_MONOTONIC, &time)"),
        ("Sources/clients/web/A.swift", "hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3"),
        ("Sources/Options/A.swift", "let a = b!"),
        ("Sources/busd/Broker/A.swift", "return roster.slots.compactMap(state)"),
        ("Tests/BrokerTests/A.swift", "#expect(!bus.bus.hasWork)"),
        ("Sources/Options/A.swift", "a()!.b()"),
        ("Sources/Options/A.swift", #"let a = "b"; return c!"#),
        ("Sources/Options/A.swift", #"a("\"", b!) // c"#),
        ("Sources/Options/A.swift", "let a = b.first { $0 > 1 }!"),
        ("Sources/Options/A.swift", #"let a = "\(b(c)!) d""#),
        ("Sources/Options/A.swift", ##"let a = #""\(b)!" \#(c["d"]!)"#"##),
        ("Sources/Options/A.swift", "let a = \"\"\"\n    b \"c\n    \"\"\".first!"),
        ("Sources/Options/A.swift", #"let a = Int("1")!"#),
        ("Sources/Options/A.swift", "var a: Array<Int>!"),
        ("Sources/Options/A.swift", "let a = b as? C<Int>!"),
        ("Sources/Options/A.swift", "let a = b.unsafelyUnwrapped"),
        ("Sources/Protocol/A.swift", #"precondition(a > 0, "// holds: b")"#),
        ("Sources/busd/Hosting/A.swift", "guard let a else { preconditionFailure() }"),
        ("Sources/ViewModels/Games/A.swift", "assert(a > 0)"),
        ("Sources/busd/Broker/A.swift", "exit(1)  // holds: it is the end"),
        ("Sources/busd/Daemon/A.swift", "import BusdGames; let a = Games.name"),
        ("Sources/clients/viewctl/A.swift", "let a: Book"),
        ("Sources/clients/web/A.swift", "case login"),
        ("Sources/clients/BusClient/A.swift", "Glibc.abort()"),
        ("Sources/ViewModels/Study/A.swift", "let a = Int32(b)"),
        ("Sources/Storage/A.swift", "precondition(a > 0)"),
        ("Sources/EventLoop/A.swift", "let a = Int32(b) | Int32(MSG_NOSIGNAL)"),
        ("Sources/EventLoop/A.swift", "let a = Int32(ABC + b)"),
        ("Sources/Storage/A.swift", "let a = b * c"),
        ("Sources/Protocol/A.swift", #"let a = Int(b) + c("// fits: d")"#),
        ("Sources/Protocol/A.swift", "let a: UInt8 = numericCast(b)"),
        ("Sources/Protocol/A.swift", "let a: UInt8 = .init(b)"),
        ("Sources/Protocol/A.swift", "let a = CInt(b)"),
        ("Sources/busd/Daemon/A.swift", "chmod(a, mode_t(b))"),
        ("Sources/Protocol/A.swift", "let a = UInt16(b)"),
        ("Sources/Protocol/Events/A.swift", "case a(b: Int64)"),
        ("Sources/ViewModels/Books/Events/A.swift", "case a(b: Int64)"),
        ("Sources/Protocol/Events/A.swift", "case a([Int: String])"),
        ("Sources/busd/Broker/A.swift", "let a = Int(b)"),
        ("Sources/busd/Daemon/A.swift", "let a = UInt64(b(c: d))"),
        ("Sources/Protocol/A.swift", "let a = Int(clamping: b) + Int64(c ? d : e)"),
        ("Sources/clients/BusClient/A.swift", "a.compactMap(Int.init)"),
        ("Sources/ViewModels/Books/A.swift", "let a = b * c"),
        ("Sources/Protocol/A.swift", "a *= b"),
        ("Sources/Protocol/A.swift", "let a = (b + 1) * (c + 1)"),
        ("Sources/Protocol/A.swift", "let a = b * (2 + c)"),
        ("Sources/Protocol/A.swift", "let a = b * 1_000_000"),
        ("Sources/Protocol/A.swift", "let a = 2 * b * c"),
        ("Sources/busd/Hosting/A.swift", "let a = b / c"),
        ("Sources/busd/Broker/A.swift", "let a = 7 % b  // It fits."),
        ("Sources/busd/Broker/A.swift", "let a = b.reduce(1, *)"),
        ("Sources/busd/Broker/A.swift", "let a = b.quotientAndRemainder(dividingBy: c)"),
        ("Sources/Protocol/A.swift", "let a: UInt8 = b + c"),
        ("Sources/Protocol/A.swift", "var a: UInt8 = 0\na += 1"),
        ("Sources/Protocol/A.swift", #"let a = b - UInt8(ascii: "0")"#),
        ("Sources/Protocol/A.swift", #"let a = UInt8(ascii: "0") + b"#),
        ("Sources/EventLoop/A.swift", "let context = Unmanaged.passUnretained(self)"),
        ("Sources/clients/HTTP/A.swift", "let context = Unmanaged.passUnretained(self)"),
        ("Sources/clients/HTTP/A.swift", "let a = Int32(b)"),
        ("Sources/clients/web/Pages/A.swift", "exit(1)"),
        ("Sources/clients/scoreboard/Web/A.swift", "let a = Int32(b)"),
        ("Sources/busd/Broker/A.swift", "var a: [String: Int] = [:]"),
        ("Sources/busd/Hosting/A.swift", "let a: Set<String> = []  // It is ours."),
        ("Sources/Protocol/A.swift", "let a = Dictionary<String, Int>()"),
        ("Sources/busd/Broker/A.swift", "a.text.hashValue & 255"),
        ("Sources/ViewModels/Books/A.swift", #"a.split(separator: "/")"#),
        ("Sources/clients/BusClient/A.swift", #"if a.hasPrefix("b") { c() }"#),
        ("Sources/Protocol/A.swift", #"a.contains("/") || a.lowercased() == b"#),
        ("Sources/Protocol/A.swift", "import Foundation"),
        ("Sources/Protocol/A.swift", "public import FoundationEssentials"),
        ("Sources/Protocol/A.swift", "extension A: @unchecked Sendable {}"),
        ("Sources/Protocol/A.swift", "nonisolated(unsafe) var a = 0"),
        ("Sources/Protocol/A.swift", "let a = try! b()"),
        ("Sources/Protocol/A.swift", "let a = b as! C"),
        ("Sources/Protocol/A.swift", "unowned let a: B"),
        ("Sources/Protocol/A.swift", "fatalError()"),
        ("Sources/Protocol/A.swift", "Task { await a() }"),
        ("Sources/Protocol/A.swift", "Task.detached(priority: .high) { await a() }"),
        ("Sources/Protocol/A.swift", "actor A {}"),
        ("Tests/ATests/A.swift", "posix_spawnp(&pid, words[0], nil, nil, words, environ)"),
        ("Tests/ATests/A.swift", "usleep(1_000)"),
        ("Tests/ATests/A.swift", "try await Task.sleep(for: .seconds(1))"),
        ("Tests/ATests/A.swift", "poll(nil, 0, 50)"),
        ("Tests/ATests/A.swift", "while !isDone { sched_yield() }"),
        ("Tests/ATests/A.swift", "@Test func `a title is a sentence`() {"),
        ("Examples/A/Tests/ATests/A.swift", "func `2 of 3 are kept`(a: Int) {"),
        ("Tests/ATests/A.swift", "@Suite struct `bus/views` {"),
        ("Tests/ATests/A.swift", #"@Suite("the backlog")"#),
        ("Tests/ATests/A.swift", "@unchecked Sendable"),
        ("Sources/Protocol/A.swift", "// " + String(repeating: "x", count: 98)),
        ("Sources/Protocol/A.swift", String(repeating: "\n", count: 300)),
        ("Tests/ATests/A.swift", String(repeating: "\n", count: 500)),
    ])
    func `A line that breaks a rule is reported with its file`(file: String, line: String) throws {
        let tree = try tree(holding: line, in: file)
        let outcome = try Child.run(script, tree.path)
        #expect(outcome.status == 1)
        #expect(outcome.output.contains(file), "\(outcome.output)")
    }

    @Test(arguments: [
        ("Sources/EventLoop/A.swift", "import CBusdLibevent"),
        ("Sources/EventLoop/Trampoline.swift", "let context = Unmanaged.passUnretained(self)"),
        ("Sources/clients/Terminal/A.swift", "import CBusdNcurses"),
        ("Sources/clients/HTTP/A.swift", "import CBusdMicrohttpd"),
        ("Sources/clients/HTTP/HTTPTrampoline.swift", "Unmanaged.passUnretained(self)"),
        ("Sources/clients/web/WebProgram.swift", "exit(1)"),
        ("Sources/Storage/A.swift", "import CBusdSQLite"),
        ("Sources/Protocol/A.swift", "let a = UInt16(clamping: b) != c && !d"),
        ("Sources/Protocol/A.swift", #"let a = "Stop!" // Now!"#),
        ("Sources/Options/A.swift", ##"a(#"b! \(c!) "d!""#, "\(e) f!", !g) // "h" \(i!)"##),
        ("Sources/Options/A.swift", "let a = \"\"\"\n    Stop! \"b!\n    \"\"\""),
        ("Sources/Protocol/A.swift", "precondition(a > 0)  // holds: it is a length"),
        ("Sources/clients/viewctl/A.swift", "precondition(a > 0)"),
        ("Sources/busd/Daemon/BusDaemon.swift", "exit(1)"),
        ("Sources/clients/viewctl/A.swift", "exit(1)"),
        ("Sources/Protocol/A.swift", "self.init(a) + .init(b: c) + sigset_t() + CInt(clamping: d)"),
        ("Sources/Protocol/A.swift", "let a = b.reduce(0, +) + c.reduce(1, &*)"),
        ("Sources/Protocol/A.swift", "a.quotientAndRemainder(dividingBy: B.size)"),
        ("Sources/Protocol/A.swift", "var a: UInt8 = 0\na &+= 1\nab += 1"),
        ("Sources/clients/viewctl/A.swift", "let a = Int32(b)"),
        ("Sources/busd/Broker/A.swift", "var a: [ExactText: String], b: Set<ExactText>"),
        ("Sources/busd/Broker/A.swift", "var a: Set<String>  // text: names of cases"),
        ("Sources/Protocol/A.swift", #"a.utf8.split(separator: UInt8(ascii: "/"))"#),
        ("Sources/clients/viewctl/A.swift", "var a: [String: Int] = [:]"),
        ("Sources/EventLoop/A.swift", "let a = Int32(MSG_A) | Int32(EV_A.rawValue)"),
        ("Sources/EventLoop/A.swift", "let a = socklen_t(MemoryLayout<sockaddr_un>.size)"),
        ("Sources/Protocol/A.swift", "let a = Int(exactly: b) ?? UInt64(0)"),
        ("Sources/Protocol/A.swift", "let a = Int(b)  // fits: it is a byte"),
        ("Sources/Protocol/A.swift", "let a = b + c - d &* e"),
        ("Sources/busd/Broker/A.swift", "let a = 2 * b + Cost.c * (d + e) + f * Self.g + h * 3"),
        ("Sources/busd/Broker/A.swift", "let a = b / 1_000_000 % Self.c"),
        ("Sources/busd/Broker/A.swift", "let a = b * c  // fits: both are bytes"),
        ("Sources/Protocol/A.swift", #"let a = b &- UInt8(ascii: "0")"#),
        ("Sources/Protocol/A.swift", #"let a = "b * c" // d * e"#),
        ("Sources/Protocol/A.swift", "var a: Double { max(0, Int.max - b) }"),
        ("Sources/Protocol/A.swift", "// A Task { } is nothing for us, and try! no more so."),
        ("Sources/Protocol/A.swift", "// " + String(repeating: "ä", count: 97)),
        ("Tests/ATests/A.swift", "import Foundation"),
    ])
    func `A line that breaks no rule is not reported`(file: String, line: String) throws {
        let tree = try tree(holding: line, in: file)
        try Child.run(script, tree.path).expect()
    }

    /// A package with two files: one contains the line, the other breaks no rule.
    private func tree(holding line: String, in file: String) throws -> Folder {
        let tree = try Folder()
        let folder = file[..<(file.lastIndex(of: "/") ?? file.endIndex)]
        try Child.run("mkdir", "-p", tree("Sources/Good"), tree("Tests"), tree("\(folder)"))
            .expect()
        try tree.write("let good = true\n", to: "Sources/Good/Good.swift")
        try tree.write(line + "\n", to: file)
        return tree
    }
}
