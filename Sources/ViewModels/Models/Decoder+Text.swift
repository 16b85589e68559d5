extension Decoder {
    /// Decodes a value that the log stores as one string.
    ///
    /// - Throws: `DecodingError` if `read` returns `nil`.
    func value<Value>(
        ofText wanted: String, _ read: (String) -> Value?
    ) throws -> Value {
        guard let value = read(try String(from: self)) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "this is not \(wanted)"))
        }
        return value
    }
}
