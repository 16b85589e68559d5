import Glibc
import TestSupport
import Testing

@testable import BusdRedisLog

/// The file with user and password, and the choice between several addresses.
struct RedisAccessTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func file(_ text: String, mode: mode_t = 0o600) throws -> CredentialsFile {
        try folder.write(text, to: "file")
        chmod(folder("file"), mode)
        return CredentialsFile(path: folder("file"))
    }

    private func problem(of file: CredentialsFile) -> String? {
        do throws(HouseError) {
            _ = try file.signIn()
            return nil
        } catch {
            guard case .refused(let reason) = error else { return "\(error) is no refusal" }
            return reason
        }
    }

    @Test(arguments: [
        ("busd\nsecret\n", ["AUTH", "busd", "secret"]),
        ("busd\nsecret", ["AUTH", "busd", "secret"]),
        ("\n a b \n", ["AUTH", " a b "]),
    ])
    func `A file has a user and a password`(text: String, words: [String]) throws {
        #expect(try file(text).signIn() == words.map { Array($0.utf8) })
    }

    @Test(arguments: ["", "\n", "secret", "busd\n", "busd\n\n", "busd\nsecret\nmore\n", "\n\n\n"])
    func `A file of another form is refused`(text: String) throws {
        #expect(
            try problem(of: file(text))
                == "\(folder("file")) needs two lines: the user or an empty line, and the password")
    }

    @Test func `A file that cannot be used is refused with the reason`() throws {
        let path = folder("file")
        #expect(
            problem(of: CredentialsFile(path: path)) == "\(path): open: No such file or directory")
        #expect(problem(of: CredentialsFile(path: folder.path)) == "\(folder.path) is not a file")
        let long = String(repeating: "x", count: 1_020)
        #expect(try problem(of: file("b\n\(long)\n")) == nil)
        #expect(try problem(of: file("bus\n\(long)\n")) == "\(path) has more than 1024 bytes")
        for mode: mode_t in [0o640, 0o604, 0o620, 0o644] {
            #expect(
                try problem(of: file("busd\nsecret\n", mode: mode))
                    == "\(path) can be read by other users: chmod 600 \(path)")
        }
        #expect(try problem(of: file("busd\nsecret\n", mode: 0o400)) == nil)
    }

    @Test func `A credential of systemd may be readable for a group`() throws {
        for (mode, isUsable) in [(mode_t(0o440), true), (0o400, true), (0o444, false)] {
            let path = try file("busd\nsecret\n", mode: mode).path
            let file = CredentialsFile(path: path, folderOfSystemd: folder.path)
            #expect((problem(of: file) == nil) == isUsable)
        }
        let path = try file("busd\nsecret\n", mode: 0o440).path
        let other = CredentialsFile(path: path, folderOfSystemd: String(folder.path.dropLast()))
        #expect(problem(of: other)?.contains("chmod 600") == true)
    }

    // MARK: Addresses

    @Test func `One to eight addresses have commas between them`() throws {
        let one = "unix:/run/redis.sock"
        #expect(RedisAccess(one, credentials: nil) == RedisAccess(.unix(path: "/run/redis.sock")))
        for count in [2, 8] {
            let text = (1...count).map { "tcp:[::1]:\($0)" }.joined(separator: ",")
            let access = try #require(RedisAccess(text, credentials: "/c"))
            #expect(access.addresses.count == count && access.description == text)
        }
        for text in ["", ",", "\(one),", ",\(one)", "\(one),redis"] + [
            Array(repeating: one, count: 9).joined(separator: ",")
        ] {
            #expect(RedisAccess(text, credentials: nil) == nil, "\(text)")
        }
    }

    private let a = RedisAddress.tcp(host: "a", port: 1)
    private let b = RedisAddress.tcp(host: "b", port: 2)

    @Test func `One address is tried again, and its latest reason is the problem`() {
        var choice = RedisChoice([a])
        #expect(choice.problem == nil && !choice.isRefused)
        let haveAllFailed = choice.fail("full", isRefused: true)
        #expect(haveAllFailed && choice.isRefused)
        #expect(choice.address == a && choice.problem == "full")
        choice.lose("gone")
        #expect(choice.address == a && choice.problem == "gone" && !choice.isRefused)
    }

    @Test func `Each failure leads to the next address, and all reasons are the problem`() {
        var choice = RedisChoice([a, b])
        choice.lose("gone")
        #expect(choice.address == a)
        var haveAllFailed = choice.fail("tcp:a:1: away", isRefused: false)
        #expect(choice.address == b && !haveAllFailed)
        haveAllFailed = choice.fail("a replica", isRefused: true)
        #expect(choice.address == a && haveAllFailed && !choice.isRefused)
        #expect(choice.problem == "tcp:a:1: away; tcp:b:2: a replica")
        haveAllFailed = choice.fail("full", isRefused: true)
        #expect(choice.address == b && !haveAllFailed && choice.isRefused)
        #expect(choice.problem == "tcp:a:1: full; tcp:b:2: a replica")
        choice.succeed()
        choice.lose("gone")
        #expect(choice.address == b && choice.problem == "tcp:b:2: gone")
    }
}
