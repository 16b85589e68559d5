import CBusdSodium

/// A BLAKE2b hash of 256 bits, as 43 characters of base64url.
///
/// It hides secrets that are random (`PairingToken`). 128 random bits cannot be guessed, so the
/// hash needs no salt and no costs, unlike the hash of a password.
struct Digest: Sendable {
    let text: String

    init(of bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        var hash = [UInt8](repeating: 0, count: Int(clamping: crypto_generichash_BYTES))
        crypto_generichash(&hash, hash.count, bytes, UInt64(clamping: bytes.count), nil, 0)
        text = hash.base64URL
    }

    /// A digest from a file. Any text is taken: a malformed digest equals no other one.
    init(stored text: String) { self.text = text }
}

extension Digest: Equatable {
    /// Takes the same time whether the digests differ at the first or at the last byte.
    static func == (a: Self, b: Self) -> Bool {
        let (a, b) = (Array(a.text.utf8), Array(b.text.utf8))
        return a.count == b.count && sodium_memcmp(a, b, a.count) == 0
    }
}

extension [UInt8] {
    /// Base64 with `-` and `_`, and without padding: it needs no escape in a URL or a cookie.
    var base64URL: String {
        let variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING
        var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(count, variant))
        sodium_bin2base64(&text, text.count, self, count, variant)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
