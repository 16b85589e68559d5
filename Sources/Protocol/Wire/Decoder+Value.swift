extension Decoder {
    /// Decodes a value that has the form of one string or one number.
    ///
    /// - Throws: `DecodingError` with `problem` if `read` returns `nil`.
    public func value<Form: Decodable, Value>(
        _ problem: @autoclosure () -> String, _ read: (Form) -> Value?
    ) throws -> Value {
        guard let value = read(try Form(from: self)) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: problem()))
        }
        return value
    }
}
