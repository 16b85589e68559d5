package import BusdProtocol
package import BusdViewModels
import CBusdSodium
import Glibc

/// What is kept of a password: a hash by Argon2id, with its salt and its costs, as text.
///
/// The costs are three passes over 64 MiB, what RFC 9106 (section 4) recommends where memory is
/// short, with the one lane that libsodium has; OWASP asks for less. Two checks at a time then fit
/// into the memory that the daemon's unit allows, and somebody who has the hashes still needs that
/// memory for every guess.
package enum PasswordHash {
    private static let passes: UInt64 = 3
    private static let memory = 64 << 20
    /// The stack that libsodium has worked on.
    private static let stack = 1 << 14

    /// Used for an unknown user: it costs the same, and no known password has a salt and a hash of
    /// zeros.
    static let ofNobody =
        "$argon2id$v=19$m=65536,t=3,p=1$" + String(repeating: "A", count: 22) + "$"
        + String(repeating: "A", count: 43)

    /// `nil` where there is no memory for it.
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
