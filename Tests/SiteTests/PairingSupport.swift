import BusdOptions
import BusdProtocol
import TestSupport
import Testing

@testable import BusdSite

/// A state folder with pairings. The test moves the time.
final class PairingFixture {
    static let start = 1_790_000_000

    let folder: Folder
    let state: PairingFolder
    var now = start

    init() throws {
        folder = try Folder()
        state = PairingFolder(path: folder.path)
    }

    /// A new one for each use, as if the process were another one.
    var store: PairingStore { PairingStore(in: state) }

    var pairings: String { folder("pairings") }

    func pair(
        _ name: String = "Ann", to: String = "scoreboard/1/**", lasting: Int = 10_800
    ) throws -> (pairing: Pairing, link: String) {
        let pattern = try #require(Pattern(to))
        let made = try store.create(to: pattern, name: name, lasting: lasting, now: now)
        return (made.pairing, made.link.text)
    }

    func redeem(_ link: String) throws -> Redemption { try store.redeem(link: link, now: now) }

    /// A pairing whose link was used, and its cookie.
    func pairedPhone(lasting: Int = 10_800) throws -> (pairing: Pairing, cookie: String) {
        let link = try pair(lasting: lasting).link
        guard case .cookie(let cookie, let pairing) = try redeem(link) else { throw NoCookie() }
        return (pairing, cookie)
    }

    func pairing(of cookie: String) throws -> Pairing? {
        try store.pairing(cookie: cookie, now: now)
    }

    func file(of id: PairingID) -> String { "\(pairings)/\(id).json" }

    struct NoCookie: Error {}
}

/// The arguments of a command line with one of the verbs.
func pairingArguments(_ words: [String]) throws -> Arguments {
    let program = Program(
        "busd-web", version: "1", "Shows view models.", options: [PairingFolder.option],
        verbs: PairingVerbs(purpose: "send events").all, isVerbRequired: false)
    guard case .run(let arguments) = try program.parse(words) else { throw NotRun() }
    return arguments
}

private struct NotRun: Error {}

/// The first line of a usage error.
func usageMessage<Value>(_ body: () throws -> Value) -> String? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? UsageError)?.description.split(separator: "\n").first.map(String.init)
    }
}
