import BusdEventLoop
import BusdOptions
import BusdProtocol
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import BusdSite

@Suite struct PairingStoreTests {
    private let fixture: PairingFixture

    init() throws { fixture = try PairingFixture() }

    // MARK: The link

    @Test func `A link gives a cookie, and the cookie the pairing`() throws {
        let (made, link) = try fixture.pair()
        guard case .cookie(let cookie, let pairing) = try fixture.redeem(link) else {
            Issue.record("there is no cookie")
            return
        }
        #expect(cookie != link)
        #expect((pairing.id, pairing.name, pairing.to) == (made.id, "Ann", made.to))
        #expect(pairing.ends == PairingFixture.start + 10_800)
        #expect(try fixture.pairing(of: cookie) == pairing)
    }

    @Test func `A link that was used gives no second cookie, and the first stays good`() throws {
        let (pairing, link) = try fixture.pair()
        guard case .cookie(let cookie, _) = try fixture.redeem(link) else {
            Issue.record("there is no cookie")
            return
        }
        #expect(try fixture.redeem(link) == .used)
        fixture.now += 3_600
        #expect(try fixture.redeem(link) == .used)
        #expect(try fixture.pairing(of: cookie)?.id == pairing.id)
    }

    @Test func `A link works until the second before ten minutes are over`() throws {
        let links = [try fixture.pair().link, try fixture.pair().link]
        fixture.now += 599
        guard case .cookie = try fixture.redeem(links[0]) else {
            Issue.record("there is no cookie")
            return
        }
        fixture.now += 1
        #expect(try fixture.redeem(links[1]) == .expired)
    }

    @Test func `A link works no longer than its pairing`() throws {
        let link = try fixture.pair(lasting: 60).link
        fixture.now += 60
        #expect(try fixture.redeem(link) == .expired)
    }

    @Test func `The link is no cookie, and the cookie is no link`() throws {
        let link = try fixture.pair().link
        #expect(try fixture.pairing(of: link) == nil)
        guard case .cookie(let cookie, _) = try fixture.redeem(link) else {
            Issue.record("there is no cookie")
            return
        }
        #expect(try fixture.pairing(of: link) == nil)
        #expect(try fixture.redeem(cookie) == .unknown)
    }

    @Test func `Wrong secrets, wrong ids and names of files are unknown`() throws {
        let (pairing, link) = try fixture.pair()
        let secret = String(link.suffix(22))
        let other = try fixture.pair().pairing.id
        let texts = [
            "", ".", "\(pairing.id)", "\(pairing.id).", ".\(secret)", "\(other).\(secret)",
            "zzzzzz.\(secret)", "../../.\(secret)", "..json.\(secret)", "\(link)A",
            "\(link.dropLast())", "\(link)\n", "\(pairing.id).\(secret.dropLast())é",
            "\(pairing.id)\u{301}.\(secret)", "\(pairing.id).\(secret).\(secret)",
            String(repeating: "a.", count: 100_000),
        ]
        for text in texts {
            #expect(try fixture.redeem(text) == .unknown, "\(text.prefix(60))")
            #expect(try fixture.pairing(of: text) == nil, "\(text.prefix(60))")
        }
        guard case .cookie = try fixture.redeem(link) else {
            Issue.record("the link does not work any more")
            return
        }
    }

    @Test func `Each refused link says what to do`() {
        for refused in [Redemption.used, .expired, .unknown] {
            #expect(refused.refusal?.contains("busd-web pair") == true)
        }
    }

    @Test func `Of eight phones that use a link at the same moment, one gets a cookie`() throws {
        let link = try fixture.pair().link
        let (state, now) = (fixture.state, fixture.now)
        let cookies = Mutex<[String]>([])
        let go = Atomic(false)
        try withThreads(8) {
            while !go.load(ordering: .acquiring) {}
            while true {
                do throws(StateFault) {
                    let outcome = try PairingStore(in: state).redeem(link: link, now: now)
                    if case .cookie(let cookie, _) = outcome {
                        cookies.withLock { $0.append(cookie) }
                    }
                    return
                } catch {
                    // Another thread has the lock: the phone tries again.
                    if error.status != .tryAgain { Issue.record(error) }
                }
            }
        } whenStarted: {
            go.store(true, ordering: .releasing)
        }
        let given = cookies.withLock { $0 }
        #expect(given.count == 1)
        #expect(try given.first.flatMap { try fixture.pairing(of: $0) } != nil)
    }

    private func withThreads(
        _ count: Int, _ body: @escaping @Sendable () -> Void, whenStarted: () -> Void
    ) throws {
        let threads = try (0..<count).map { _ in try ServiceThread(body) }
        whenStarted()
        for thread in threads { thread.join() }
    }

    @Test func `A phone is asked to try again while a verb changes the folder`() throws {
        let link = try fixture.pair().link
        let folder = try #require(try PrivateFolder(opening: fixture.pairings))
        try folder.locked(waits: true) {
            let error = #expect(throws: StateFault.self) { try fixture.redeem(link) }
            #expect(error?.status == .tryAgain)
        }
        guard case .cookie = try fixture.redeem(link) else {
            Issue.record("the link does not work any more")
            return
        }
    }

    // MARK: The end

    @Test func `A pairing ends at its second`() throws {
        let (pairing, cookie) = try fixture.pairedPhone(lasting: 3_600)
        fixture.now = pairing.ends - 1
        #expect(try fixture.pairing(of: cookie) == pairing)
        fixture.now += 1
        #expect(try fixture.pairing(of: cookie) == nil)
        #expect(try fixture.store.all(now: fixture.now) == PairingStore.Listing())
    }

    @Test func `A clock that is a year ahead for a while ends no pairing for good`() throws {
        let (pairing, cookie) = try fixture.pairedPhone()
        let unused = try fixture.pair()
        fixture.now += 365 * 86_400
        #expect(try fixture.store.all(now: fixture.now) == PairingStore.Listing())
        #expect(try fixture.pairing(of: cookie) == nil)
        #expect(try fixture.redeem(unused.link) == .expired)
        let ahead = try fixture.pair().pairing
        fixture.now = PairingFixture.start
        let all = try fixture.store.all(now: fixture.now).pairings.map(\.id)
        #expect(Set(all) == [pairing.id, unused.pairing.id, ahead.id])
        #expect(try fixture.pairing(of: cookie)?.id == pairing.id)
        guard case .cookie = try fixture.redeem(unused.link) else {
            Issue.record("the link does not work any more")
            return
        }
    }

    @Test func `A new pairing removes what a crash has left, and no pairing that has ended`() throws
    {
        let old = try fixture.pair(lasting: 60).pairing
        try write(Array("{".utf8), to: fixture.file(of: old.id) + ".new")
        try write([], to: "\(fixture.pairings)/zzzzzz.json.new")
        fixture.now += 60
        let new = try fixture.pair().pairing
        #expect(Set(names(in: fixture.pairings)) == ["\(old.id).json", "\(new.id).json"])
    }

    @Test func `A pairing that was ended is over at once`() throws {
        let (pairing, cookie) = try fixture.pairedPhone()
        let unused = try fixture.pair()
        #expect(try fixture.store.end(pairing.id))
        #expect(try fixture.pairing(of: cookie) == nil)
        #expect(try fixture.store.end(unused.pairing.id))
        #expect(try fixture.redeem(unused.link) == .unknown)
        #expect(try !fixture.store.end(pairing.id))
    }

    @Test func `Without a folder there are no pairings`() throws {
        let store = PairingStore(in: PairingFolder(path: fixture.folder("missing")))
        let link = "abcdef.\(String(repeating: "A", count: 22))"
        #expect(try store.all(now: 0) == PairingStore.Listing())
        #expect(try store.redeem(link: link, now: 0) == .unknown)
        #expect(try store.pairing(cookie: link, now: 0) == nil)
        #expect(try !store.end(#require(PairingID("abcdef"))))
    }

    @Test func `There are at most a thousand pairings`() throws {
        _ = try fixture.pair(lasting: 7_200)
        try fill()
        let error = #expect(throws: StateFault.self) { try fixture.pair() }
        #expect(error?.description.contains("busd-web unpair") == true)
        unlink("\(fixture.pairings)/xyzjjj.json")
        _ = try fixture.pair()
    }

    @Test func `Of a thousand pairings, the one that ended first makes room for a new one`() throws
    {
        let later = try fixture.pair(lasting: 120).pairing
        let first = try fixture.pair(lasting: 60).pairing
        try fill()
        fixture.now += 120
        let new = try fixture.pair().pairing
        let files = names(in: fixture.pairings)
        #expect(files.count == PairingStore.most)
        #expect(!files.contains("\(first.id).json"))
        #expect([later, new].allSatisfy { files.contains("\($0.id).json") })
    }

    /// Adds files, so that there are 1,000.
    private func fill() throws {
        for number in names(in: fixture.pairings).count..<PairingStore.most {
            let letters = [number / 100, number / 10 % 10, number % 10].map {
                "abcdefghij".dropFirst($0).prefix(1)
            }
            try write([], to: "\(fixture.pairings)/xyz\(letters.joined()).json")
        }
    }

    // MARK: What a pairing allows

    @Test func `A pairing covers the addresses of its pattern`() throws {
        let pairing = try fixture.pair(to: "scoreboard/1/**").pairing
        let covered = ["scoreboard/1", "scoreboard/1/home/1"]
        let others = ["scoreboard/10", "scoreboard", "scoreboard/2/home/1", "bus/users"]
        #expect(covered.allSatisfy { Address($0).map(pairing.covers) == true })
        #expect(!others.contains { Address($0).map(pairing.covers) == true })
    }

    @Test func `No pattern reaches bus`() throws {
        for text in ["bus", "bus/**", "bus/users", "**", "*", "*/users", "*/**"] {
            let pattern = try #require(Pattern(text))
            #expect(Pairing.problem(of: pattern) != nil, "\(text)")
        }
        for text in ["scoreboard/**", "business/*", "Bus/x", "shopping"] {
            let pattern = try #require(Pattern(text))
            #expect(Pairing.problem(of: pattern) == nil, "\(text)")
        }
    }

    @Test func `Secrets are long, and differ`() throws {
        let links = try (0..<20).map { _ in try fixture.pair().link }
        #expect(Set(links.map { ExactText($0) }).count == 20)
        for link in links {
            #expect(link.utf8.count == 6 + 1 + 22)
            let isPlain = link.utf8.allSatisfy {
                $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                    || $0.isLetter || 48...57 ~= $0
            }
            #expect(isPlain)
        }
    }
}
