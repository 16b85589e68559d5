/// SHA-1 (FIPS 180-4), the only hash that a function of Redis can compute. It detects logs that
/// differ; it protects no secret.
enum SHA1 {
    /// Twenty bytes.
    static func hash(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [
            0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0,
        ]
        let padded = pad(message)
        var words = [UInt32](repeating: 0, count: 80)
        for start in stride(from: 0, to: padded.count, by: 64) {
            for i in 0..<16 { words[i] = word(padded, at: start + 4 * i) }
            for i in 16..<80 {
                let mixed = words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16]
                words[i] = rotate(mixed, by: 1)
            }
            add(words, to: &state)
        }
        return state.flatMap { word in
            (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
        }
    }

    private static func word(_ bytes: [UInt8], at place: Int) -> UInt32 {
        let high = UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16  // fits: wider
        return high | UInt32(bytes[place + 2]) << 8 | UInt32(bytes[place + 3])  // fits: wider
    }

    private static func pad(_ message: [UInt8]) -> [UInt8] {
        let rest = (message.count + 9) % 64
        let bits = UInt64(message.count) &* 8  // fits: a count is positive
        return message + [0x80] + [UInt8](repeating: 0, count: rest == 0 ? 0 : 64 - rest)
            + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
    }

    private static func add(_ words: [UInt32], to state: inout [UInt32]) {
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (i, word) in words.enumerated() {
            let (mixed, constant): (UInt32, UInt32) =
                switch i {
                case 0..<20: (b & c | ~b & d, 0x5a82_7999)
                case 20..<40: (b ^ c ^ d, 0x6ed9_eba1)
                case 40..<60: (b & c | b & d | c & d, 0x8f1b_bcdc)
                default: (b ^ c ^ d, 0xca62_c1d6)
                }
            let next = rotate(a, by: 5) &+ mixed &+ e &+ constant &+ word
            (a, b, c, d, e) = (next, a, rotate(b, by: 30), c, d)
        }
        for (i, value) in [a, b, c, d, e].enumerated() { state[i] &+= value }
    }

    private static func rotate(_ word: UInt32, by bits: UInt32) -> UInt32 {
        word << bits | word >> (32 - bits)  // fits: 0 to 32 bits
    }
}
