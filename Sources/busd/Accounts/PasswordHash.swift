package import BusdHosting
package import BusdProtocol
import CBusdSodium
import Glibc

/// The stored form of a password: an Argon2id hash with its salt and costs, as text.
///
/// The costs are three passes over 64 MiB, as RFC 9106 (section 4) recommends if memory is limited,
/// but with one lane, because libsodium has no more. OWASP asks for less. Two checks at a time fit
/// into the memory that the daemon's unit allows. An attacker who has the hashes needs 64 MiB for
/// every guess.
package enum PasswordHash {
    private static let passes: UInt64 = 3
    private static let memory = 64 << 20
    /// Bytes of the stack that libsodium may have used.
    private static let stack = 1 << 14

    /// Compared if there is no such user: the check takes as long, and no known password has a salt
    /// and a hash of zeros.
    static let dummy =
        "$argon2id$v=19$m=65536,t=3,p=1$" + String(repeating: "A", count: 22) + "$"
        + String(repeating: "A", count: 43)

    /// `nil` if there is not enough memory.
    package static func make(of password: Secret) -> String? {
        guard let copy = guarded(password) else { return nil }
        var text = [CChar](repeating: 0, count: Int(clamping: crypto_pwhash_STRBYTES))
        let status = copy.withChars { crypto_pwhash_str(&text, $0, $1, passes, memory) }
        sodium_stackzero(stack)
        guard status == 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Takes a good part of a second, and 64 MiB.
    package static func check(_ password: Secret, against hash: String) -> PasswordVerdict {
        // Other costs could take any time and memory: another daemon may have made the hash.
        guard crypto_pwhash_str_needs_rehash(hash, passes, memory) == 0 else { return .wrong }
        guard let copy = guarded(password) else { return .unknown }
        errno = 0
        let status = copy.withChars { crypto_pwhash_str_verify(hash, $0, $1) }
        let isOutOfMemory = errno == ENOMEM
        sodium_stackzero(stack)
        return status == 0 ? .right : isOutOfMemory ? .unknown : .wrong
    }

    private static func guarded(_ password: Secret) -> GuardedBytes? {
        password.withBytes { GuardedBytes(copying: $0) }
    }
}
