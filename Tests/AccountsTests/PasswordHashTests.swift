import BusdHosting
import BusdProtocol
import Testing

@testable import BusdAccounts

/// The real hash. Each takes a large part of a second.
struct PasswordHashTests {
    @Test func `Only exactly the same password is right`() throws {
        let hash = try #require(PasswordHash.make(of: Secret("p\"ä ss")))
        #expect(hash.hasPrefix("$argon2id$v=19$m=65536,t=3,p=1$"))
        #expect(PasswordHash.check(Secret("p\"ä ss"), against: hash) == .right)
        #expect(PasswordHash.check(Secret("p\"ä ss "), against: hash) == .wrong)
    }

    @Test func `Two hashes of the same password differ`() {
        #expect(PasswordHash.make(of: Secret("same")) != PasswordHash.make(of: Secret("same")))
    }

    @Test func `A long password is compared to its end`() throws {
        let long = String(repeating: "x", count: 60_000)
        let hash = try #require(PasswordHash.make(of: Secret(long)))
        #expect(PasswordHash.check(Secret(long), against: hash) == .right)
        #expect(PasswordHash.check(Secret(long.dropLast() + "y"), against: hash) == .wrong)
    }

    @Test func `The hash for unknown users has the same costs and no known password`() throws {
        let costs = try #require(PasswordHash.make(of: Secret("x"))).split(separator: "$").prefix(3)
        #expect(PasswordHash.dummy.split(separator: "$").prefix(3) == costs)
        #expect(PasswordHash.check(Secret("x"), against: PasswordHash.dummy) == .wrong)
    }

    @Test func `No password matches an invalid hash`() {
        for hash in ["", "x", "$argon2id$", "$argon2id$v=19$m=65536,t=3,p=1$AAAA"] {
            #expect(PasswordHash.check(Secret("x"), against: hash) == .wrong)
        }
    }
}
