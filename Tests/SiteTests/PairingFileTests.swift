import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdSite

@Suite struct PairingFileTests {
    private let fixture: PairingFixture

    init() throws { fixture = try PairingFixture() }

    @Test func `The file of a pairing is as documented, and has neither secret`() throws {
        let link = try #require(PairingToken("k3m9ax.AAAAAAAAAAAAAAAAAAAAAA"))
        let cookie = try #require(PairingToken("k3m9ax.BBBBBBBBBBBBBBBBBBBBBB"))
        let to = try #require(Pattern("scoreboard/1/**"))
        var pairing = Pairing(link, to: to, name: "Ann", lasting: 10_800, now: 1_790_000_000)
        pairing.use(by: cookie)
        let text = String(decoding: pairing.fileContent, as: UTF8.self)
        // The digests were computed by another program, from `b2sum -l 256`.
        #expect(
            text == #"{"pairing":{"id":"k3m9ax","name":"Ann","to":"scoreboard/1/**","#
                + #""made":1790000000,"ends":1790010800,"#
                + #""link":"WB_TiGcl5J_59vzKtotQdzIjz7tM8Jq_FqyI6Cm7jeU","linkEnds":1790000600,"#
                + #""cookie":"6YVB7uazZeExFDZingiDtLcaumqnMBTLiI-SMUAaOBw"},"#
                + #""checksum":"-gowbEuI15npYUjp5pyAeKWwLTn5uvk--NhYMSaembI"}"# + "\n")
        #expect(Pairing(fileContent: pairing.fileContent, id: pairing.id) == pairing)
    }

    @Test func `The folder and its files are for their owner alone`() throws {
        let pairing = try fixture.pair().pairing
        #expect(mode(of: fixture.pairings) == 0o700)
        #expect(mode(of: fixture.file(of: pairing.id)) == 0o600)
        #expect(names(in: fixture.pairings) == ["\(pairing.id).json"])
    }

    // MARK: Damage

    /// Puts every variant of a damaged file in place of the file, and expects that the link, the
    /// cookie and the list take none of them.
    private func expectRefusal(
        of variants: [[UInt8]], _ pairing: Pairing, _ token: String
    ) throws {
        for (number, variant) in variants.enumerated() {
            try write(variant, to: fixture.file(of: pairing.id))
            #expect(try fixture.redeem(token) == .unknown, "variant \(number)")
            #expect(try fixture.pairing(of: token) == nil, "variant \(number)")
        }
        let listing = try fixture.store.all(now: fixture.now)
        #expect(listing.pairings == [])
        #expect(listing.damaged.map(\.id) == [pairing.id])
    }

    @Test func `A file that was cut anywhere is refused, and never a trap`() throws {
        let (pairing, link) = try fixture.pair("Änn 🏀")
        let whole = pairing.fileContent
        try expectRefusal(of: whole.indices.map { Array(whole[..<$0]) }, pairing, link)
    }

    @Test func `A file with one flipped bit is refused, and never a trap`() throws {
        for isUsed in [true, false] {
            let (pairing, token) = try isUsed ? fixture.pairedPhone() : fixture.pair("Änn 🏀")
            let whole = pairing.fileContent
            let flipped = whole.indices.flatMap { place in
                (0..<8).map { bit in
                    var bytes = whole
                    bytes[place] ^= 1 << bit
                    return bytes
                }
            }
            for (number, variant) in flipped.enumerated() {
                #expect(Pairing(fileContent: variant, id: pairing.id) == nil, "bit \(number)")
            }
            // The disk is slower, so it gets a part of them.
            let some = flipped.enumerated().filter { $0.offset % 97 == 0 }.map(\.element)
            try expectRefusal(of: some, pairing, token)
            unlink(fixture.file(of: pairing.id))
        }
    }

    @Test func `Random bytes, deep lists and long files are refused`() throws {
        let (pairing, link) = try fixture.pair()
        var generator = SeededGenerator(seed: 40)
        let noise = (0..<200).map { _ in
            (0..<generator.number(0...400)).map { _ in
                UInt8(truncatingIfNeeded: generator.number(0...255))
            }
        }
        let others = [
            Array(repeating: UInt8(ascii: "["), count: 4_000) + [.lineFeed],
            Array(pairing.fileContent.dropLast()) + [UInt8](repeating: .space, count: 9_000)
                + [.lineFeed],
            pairing.fileContent + pairing.fileContent, Array("{}\n".utf8), Array("null\n".utf8),
            Array(#"{"pairing":{},"checksum":""}"#.utf8) + [.lineFeed],
        ]
        try expectRefusal(of: noise + others, pairing, link)
    }

    @Test func `A file with a good checksum and impossible values is refused`() throws {
        let (pairing, link) = try fixture.pair()
        let good = try #require(text(of: pairing))
        let changes = [
            (#""name":"Ann""#, #""name":"A\u001b[2J""#), (#""name":"Ann""#, #""name":"""#),
            (#""name":"Ann""#, #""name":7"#), (#""to":"scoreboard/1/**""#, #""to":"**""#),
            (#""to":"scoreboard/1/**""#, #""to":"bus/users""#),
            (#""to":"scoreboard/1/**""#, #""to":"a//b""#),
            (#""made":1790000000"#, #""made":-1"#), (#""ends":1790010800"#, #""ends":1e300"#),
            (#""ends":1790010800"#, #""ends":9007199254740991"#),
            (#""ends":1790010800"#, #""ends":99999999999999999999"#),
            (#""id":"\#(pairing.id)""#, #""id":"zzzzzz""#),
        ]
        let variants = changes.map { old, new in
            let body = Array(good.replacing(old, with: new).utf8)
            #expect(!body.elementsEqual(good.utf8), "\(old) is not in the file")
            return Array(#"{"pairing":"#.utf8) + body
                + Array(#","checksum":"\#(Digest(of: body).text)"}"#.utf8) + [.lineFeed]
        }
        try expectRefusal(of: variants, pairing, link)
    }

    /// The JSON of a pairing, without its checksum.
    private func text(of pairing: Pairing) -> String? {
        let document = JSONDocument()
        try? document.read(Array(pairing.fileContent.dropLast()))
        return document.root?["pairing"].map { String(decoding: $0.json, as: UTF8.self) }
    }

    @Test func `A copy of a file under another id is refused`() throws {
        let pairing = try fixture.pair().pairing
        let other = try #require(
            PairingID(pairing.id.description == "aaaaaa" ? "bbbbbb" : "aaaaaa"))
        #expect(rename(fixture.file(of: pairing.id), fixture.file(of: other)) == 0)
        let listing = try fixture.store.all(now: fixture.now)
        #expect(listing.pairings == [])
        #expect(listing.damaged.map(\.id) == [other])
    }

    @Test func `A crash before the cookie is in place leaves the link, and no cookie`() throws {
        let (pairing, link) = try fixture.pair()
        let before = pairing.fileContent
        guard case .cookie(let cookie, let used) = try fixture.redeem(link) else {
            Issue.record("there is no cookie")
            return
        }
        try write(before, to: fixture.file(of: pairing.id))
        try write(used.fileContent, to: fixture.file(of: pairing.id) + ".new")
        #expect(try fixture.pairing(of: cookie) == nil)
        guard case .cookie(let second, _) = try fixture.redeem(link) else {
            Issue.record("the link does not work any more")
            return
        }
        #expect(try fixture.pairing(of: second) != nil)
        #expect(try fixture.pairing(of: cookie) == nil)
        #expect(names(in: fixture.pairings) == ["\(pairing.id).json"])
    }

    // MARK: Other things in the folder

    @Test func `A link, a folder and a pipe are no pairings, and are not followed`() throws {
        let (pairing, cookie) = try fixture.pairedPhone()
        let path = fixture.file(of: pairing.id)
        let outside = fixture.folder("outside.json")
        #expect(rename(path, outside) == 0)

        #expect(symlink(outside, path) == 0)
        #expect(try fixture.pairing(of: cookie) == nil)
        #expect(try damage() == "\(path) is not a regular file")
        #expect(try fixture.store.end(pairing.id))
        #expect(access(outside, F_OK) == 0)

        #expect(mkfifo(path, 0o600) == 0)
        #expect(try fixture.pairing(of: cookie) == nil)
        #expect(try damage() == "\(path) is not a regular file")
        #expect(try fixture.store.end(pairing.id))

        #expect(mkdir(path, 0o700) == 0)
        #expect(try fixture.pairing(of: cookie) == nil)
        #expect(try damage() == "\(path) is not a regular file")
        let error = #expect(throws: StateFault.self) { try fixture.store.end(pairing.id) }
        #expect(error?.description == "\(path): Is a directory")
    }

    private func damage() throws -> String? {
        try fixture.store.all(now: fixture.now).damaged.first?.reason
    }

    @Test func `Files with other names are left alone`() throws {
        let pairing = try fixture.pair().pairing
        let others = ["README", ".json", "ABCDEF.json", "abcdef.json~", "abcdef", "abcdefg.json"]
        for name in others { try write([], to: "\(fixture.pairings)/\(name)") }
        #expect(try fixture.store.all(now: fixture.now).pairings == [pairing])
        #expect(try fixture.store.ids() == [pairing.id])
        #expect(try fixture.store.end(pairing.id))
        #expect(names(in: fixture.pairings) == others.sorted())
    }

    @Test func `A link in place of the folder is refused`() throws {
        let (pairing, cookie) = try fixture.pairedPhone()
        #expect(rename(fixture.pairings, fixture.folder("elsewhere")) == 0)
        #expect(symlink(fixture.folder("elsewhere"), fixture.pairings) == 0)
        #expect(throws: StateFault.self) { try fixture.pairing(of: cookie) }
        #expect(throws: StateFault.self) { try fixture.store.end(pairing.id) }
        #expect(throws: StateFault.self) { try fixture.pair() }
    }

    @Test func `A folder that others may enter is refused with the remedy`() throws {
        let cookie = try fixture.pairedPhone().cookie
        chmod(fixture.pairings, 0o750)
        let error = #expect(throws: StateFault.self) { try fixture.pairing(of: cookie) }
        #expect(error?.description.contains("chmod 700 \(fixture.pairings)") == true)
    }

    @Test func `A disk that takes no file leaves the link as it was`() throws {
        let (pairing, link) = try fixture.pair()
        // A folder has the name of the new file.
        let blocked = fixture.file(of: pairing.id) + ".new"
        #expect(mkdir(blocked, 0o700) == 0)
        #expect(throws: StateFault.self) { try fixture.redeem(link) }
        rmdir(blocked)
        guard case .cookie = try fixture.redeem(link) else {
            Issue.record("the link does not work any more")
            return
        }
    }
}
