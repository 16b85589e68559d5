import BusdProtocol

extension Decoder {
    func corrupted(_ text: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: text))
    }

    /// - Throws: `DecodingError` unless a log may have the time.
    func checked(microseconds: Int64) throws -> Int64 {
        guard Instant.stored.contains(microseconds) else { throw corrupted("this is not a time") }
        return microseconds
    }
}

extension UnkeyedDecodingContainer {
    /// A count that was stored. A library of such counts has a sum.
    mutating func decodeCount() throws -> Int {
        let count = try decode(Int.self)
        guard 0...(1 << 40) ~= count else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "this is not a count"))
        }
        return count
    }
}
