// Numbers of a log or a state: a file may have any.

extension Decoder {
    /// The error of a value that no program has written.
    public func corrupted(_ text: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: text))
    }

    /// - Throws: `DecodingError` unless a log may have the time (`Instant.stored`).
    public func checked(microseconds: Int64) throws -> Int64 {
        guard Instant.stored.contains(microseconds) else { throw corrupted("this is not a time") }
        return microseconds
    }
}

extension UnkeyedDecodingContainer {
    /// A count that was stored: 0 to 2^40. A library of such counts has a sum.
    ///
    /// - Throws: `DecodingError`.
    public mutating func decodeCount() throws -> Int {
        let count = try decode(Int.self)
        guard 0...(1 << 40) ~= count else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "this is not a count"))
        }
        return count
    }
}
