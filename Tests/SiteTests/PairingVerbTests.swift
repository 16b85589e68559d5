import BusdOptions
import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdSite

@Suite struct PairingVerbTests {
    private let fixture: PairingFixture

    init() throws { fixture = try PairingFixture() }

    private func serve(pairsPhones: Bool = true) throws -> ServerLock {
        try ServerNote(url: "http://court.example:8080", pairsPhones: pairsPhones, process: 512)
            .publish(in: fixture.state)
    }

    private func pair(
        as name: String = "Ann", to: String = "scoreboard/1/**", lasting: String = "3h",
        terminal: OutputTerminal? = nil
    ) throws -> Report {
        let arguments = try pairingArguments(["pair", "--to", to, "--for", lasting, "--as", name])
        let verb = try Pair(arguments, purpose: "serve the orders", terminal: terminal)
        return verb.run(in: fixture.state, now: fixture.now)
    }

    private func time(after seconds: Int) -> String {
        LocalTime(seconds: fixture.now + seconds).short(at: LocalTime(seconds: fixture.now))
    }

    // MARK: pair

    @Test func `The verb pair prints a URL that works, and says until when`() throws {
        let lock = try serve()
        let report = try pair()
        let url = try #require(report.output.first)
        let link = String(url.dropFirst("http://court.example:8080/pair#".count))
        #expect(url == "http://court.example:8080/pair#\(link)")
        #expect(report.output.count == 1)
        let id = link.prefix(6)
        #expect(
            report.notes == [
                "Ann may send to scoreboard/1/** until \(time(after: 10_800)).",
                "The link works once, and until \(time(after: 600)). "
                    + "To end the pairing: busd-web unpair \(id)",
            ])
        #expect(report.status == .done)
        guard case .cookie(_, let pairing) = try fixture.redeem(link) else {
            Issue.record("there is no cookie")
            return
        }
        #expect(pairing.name == "Ann")
        #expect(pairing.ends == fixture.now + 10_800)
        withExtendedLifetime(lock) {}
    }

    @Test
    func `The verb pair draws a QR code on a terminal that is wide enough and shows it`() throws {
        let lock = try serve()
        let wide = OutputTerminal(columns: 80, isUTF8: true, isColoured: true)
        let drawn = try pair(terminal: wide).output
        #expect(drawn.count > 20)
        #expect(drawn[2].utf8.starts(with: "\u{1B}[38;5;16;48;5;231m".utf8))
        let narrow = OutputTerminal(columns: 30, isUTF8: true, isColoured: true)
        #expect(try pair(terminal: narrow).output.count == 1)
        #expect(try pair(terminal: narrow).notes[0].contains("too narrow"))
        let ascii = OutputTerminal(columns: 80, isUTF8: false, isColoured: true)
        #expect(try pair(terminal: ascii).output.count == 1)
        let without = try pairingArguments([
            "pair", "--to", "a", "--for", "1h", "--as", "b", "--no-qr",
        ])
        let report = try Pair(without, purpose: "", terminal: wide).run(
            in: fixture.state, now: fixture.now)
        #expect(report.output.count == 1)
        withExtendedLifetime(lock) {}
    }

    @Test func `The verb pair refuses without a server that pairs phones, and says what to do`()
        throws
    {
        let missing = try pair()
        #expect(missing.status == .failed)
        #expect(missing.output == [])
        #expect(missing.notes.first?.contains("start busd-web with --control") == true)

        let lock = try serve(pairsPhones: false)
        let report = try pair()
        #expect(report.status == .failed)
        #expect(report.notes.first?.contains("process 512") == true)
        #expect(report.notes.first?.contains("start it again with --control") == true)
        #expect(names(in: fixture.pairings) == [])
        withExtendedLifetime(lock) {}
    }

    @Test func `The verb pair says if only this machine can open the link`() throws {
        let lock = try ServerNote(url: "http://127.0.0.1:8080", pairsPhones: true)
            .publish(in: fixture.state)
        #expect(try pair().notes.last?.contains("--listen") == true)
        withExtendedLifetime(lock) {}
    }

    @Test(arguments: [
        "0h", "0m", "-3h", "3", "h", "", "3 h", "3H", "1.5h", "31d", "721h", "43201m",
        "99999999999999999999m", "+3h", "٣h", "3h3m", "1w",
    ])
    func `The verb pair refuses a bad time, and names the bounds`(_ text: String) {
        let message = usageMessage { try pair(lasting: text) }
        #expect(message?.contains("from 1m to 30d") == true)
    }

    @Test func `The shortest time is a minute, the longest thirty days`() {
        #expect(Span("1m")?.seconds == 60)
        #expect(Span("90m")?.seconds == 5_400)
        #expect(Span("720h")?.seconds == 2_592_000)
        #expect(Span("30d")?.seconds == 2_592_000)
    }

    @Test(arguments: [
        "a//b", "/a", "scoreboard/1/", "a b", "", "sco*/1", "**/1", "bus/**", "**", "*/1",
    ])
    func `The verb pair refuses a bad pattern`(_ text: String) {
        #expect(usageMessage { try pair(to: text) }?.contains("--to") == true)
    }

    @Test(arguments: [
        "", " ", "\u{200D}", "a\nb", "a\u{1B}[2J", "a\u{202E}b", String(repeating: "a", count: 41),
        String(repeating: "🏳️‍🌈", count: 20), "a" + String(repeating: "\u{301}", count: 31),
    ])
    func `The verb pair refuses a bad name`(_ name: String) {
        #expect(usageMessage { try pair(as: name) }?.contains("the name") == true)
    }

    @Test func `Each name that pair takes is one that hello takes`() {
        let names = ["Ann", "Änn 🏀", "علی\u{200C}رضا", String(repeating: "ö", count: 40)]
        for name in names {
            #expect(Pairing.problem(ofName: name) == nil, "\(name)")
            #expect(name.utf8.count <= Limits().text)
        }
    }

    @Test func `The verb pair names the option that is missing`() {
        let message = usageMessage {
            try Pair(
                pairingArguments(["pair", "--to", "a", "--as", "b"]), purpose: "", terminal: nil)
        }
        #expect(message == "busd-web pair: missing --for")
    }

    // MARK: pairs

    private func pairs(_ words: String...) throws -> Report {
        let arguments = try pairingArguments(["pairs"] + words)
        return try Pairs(arguments).run(in: fixture.state, now: fixture.now)
    }

    @Test func `The verb pairs lists the pairings with the state of their links`() throws {
        let used = try fixture.pairedPhone().pairing
        fixture.now += 1
        let expired = try fixture.pair("Änn", to: "scoreboard/**", lasting: 172_800).pairing
        fixture.now += 600
        let unused = try fixture.pair("Bo").pairing
        let soon = LocalTime(seconds: used.ends).short(at: LocalTime(seconds: fixture.now))
        let last = LocalTime(seconds: unused.ends).short(at: LocalTime(seconds: fixture.now))
        let later = LocalTime(seconds: expired.ends).short(at: LocalTime(seconds: fixture.now))
        let width = max(later.count, soon.count, last.count)
        func until(_ text: String) -> String {
            text + String(repeating: " ", count: width - text.count)
        }
        #expect(
            try pairs().output == [
                "ID      NAME  TO               \(until("UNTIL"))  LINK",
                "\(used.id)  Ann   scoreboard/1/**  \(until(soon))  used",
                "\(expired.id)  Änn   scoreboard/**    \(until(later))  expired",
                "\(unused.id)  Bo    scoreboard/1/**  \(until(last))  unused",
            ])
    }

    @Test func `The verb pairs --json prints an object per line, without secrets`() throws {
        let pairing = try fixture.pair("Änn\u{AD}").pairing
        let line = try #require(try pairs("--json").output.first)
        #expect(
            line == #"{"id":"\#(pairing.id)","name":"Änn\u00ad","to":"scoreboard/1/**","#
                + #""made":1790000000,"until":1790010800,"link":"unused"}"#)
    }

    @Test func `Without pairings, pairs prints nothing`() throws {
        #expect(try pairs() == Report())
        let missing = PairingFolder(path: fixture.folder("missing"))
        #expect(try Pairs(pairingArguments(["pairs"])).run(in: missing, now: 0) == Report())
    }

    @Test func `The verb pairs reports a damaged file, and lists the others`() throws {
        let damaged = try fixture.pair().pairing
        _ = try fixture.pair()
        let path = fixture.file(of: damaged.id)
        try write(Array("\u{1B}[2J".utf8), to: path)
        let report = try pairs()
        #expect(report.output.count == 2)
        #expect(
            report.notes == [
                "busd-web: \(path) is damaged: remove it with busd-web unpair \(damaged.id)"
            ])
        #expect(report.status == .badInput)
        #expect(try unpair(damaged.id.description) == Report())
        #expect(try pairs().status == .done)
    }

    @Test func `An invisible character of a name is shown as an escape`() throws {
        _ = try fixture.pair("a\u{AD}b")
        #expect(try pairs().output[1].contains(#"a\u{00AD}b"#))
    }

    // MARK: unpair

    private func unpair(_ words: String...) throws -> Report {
        let arguments = try pairingArguments(["unpair"] + words)
        return try Unpair(arguments).run(in: fixture.state, now: fixture.now)
    }

    @Test func `The verb unpair ends a pairing in use at once`() throws {
        let (pairing, cookie) = try fixture.pairedPhone()
        #expect(try unpair(pairing.id.description) == Report())
        #expect(try fixture.pairing(of: cookie) == nil)
    }

    @Test func `The verb unpair fails for an unknown id, and ends the others`() throws {
        let pairing = try fixture.pair().pairing
        let report = try unpair("../\u{1B}[2J", pairing.id.description)
        #expect(report.status == .failed)
        #expect(report.notes == [#"busd-web: there is no pairing '../\u{1B}[2J'"#])
        #expect(names(in: fixture.pairings) == [])
    }

    @Test
    func `With --all, unpair also ends pairings that are over by a clock that is ahead`() throws {
        let (_, cookie) = try fixture.pairedPhone()
        fixture.now += 365 * 86_400
        #expect(try unpair("--all") == Report())
        fixture.now = PairingFixture.start
        #expect(try fixture.pairing(of: cookie) == nil)
    }

    @Test func `The verb unpair --all ends all, the damaged ones too`() throws {
        _ = try fixture.pair()
        try write([], to: fixture.file(of: try fixture.pair().pairing.id))
        #expect(try unpair("--all") == Report())
        #expect(names(in: fixture.pairings) == [])
        let missing = PairingFolder(path: fixture.folder("missing"))
        #expect(
            try Unpair(pairingArguments(["unpair", "--all"])).run(in: missing, now: 0) == Report())
    }

    @Test func `The verb unpair needs ids or --all, and not both`() {
        #expect(usageMessage { try Unpair(pairingArguments(["unpair"])) } != nil)
        #expect(usageMessage { try unpair("--all", "abcdef") } != nil)
    }
}
