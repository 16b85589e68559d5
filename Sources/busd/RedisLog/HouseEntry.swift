import BusdProtocol

/// An entry of the stream in Redis.
struct HouseEntry {
    /// The chain of a new house.
    static let firstChain = "0000000000000000"

    let number: Int
    let time: Instant
    /// The daemon that has appended the entry, and the number of its call.
    let origin: String
    let call: Int
    /// A hash over the chain of the entry before and this entry: 16 hexadecimal digits.
    let chain: String
    let form: [UInt8]

    /// `nil` if the value is not an entry of a house.
    init?(_ value: RedisValue) {
        guard let number = value[0].streamNumber, case let fields = value[1],
            let time = fields["t"].instant, let call = fields["s"].number,
            let origin = fields["o"].string, let chain = fields["c"].string,
            let form = fields["e"].bytes
        else { return nil }
        (self.number, self.origin, self.call) = (number, origin, call)
        (self.time, self.chain, self.form) = (time, chain, form)
    }

    /// Whether Redis has put the entry after the entry with the chain `before`.
    func follows(_ before: String) -> Bool {
        let text = Array("\(before)\(number) \(time.microseconds) ".utf8) + form
        let digits = SHA1.hash(text).prefix(8).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return chain.isExactly(digits.joined())
    }

    func entry() throws(WireError) -> LogEntry {
        try LogEntry(number: number, time: time, sharedForm: form)
    }
}

extension RedisValue {
    /// The number in the id of an entry: 17 in `17-0`.
    var streamNumber: Int? {
        guard let parts = bytes?.split(separator: UInt8(ascii: "-")), parts.count == 2,
            parts[1].elementsEqual("0".utf8)
        else { return nil }
        return RedisValue.text(Array(parts[0])).entryNumber
    }
}
