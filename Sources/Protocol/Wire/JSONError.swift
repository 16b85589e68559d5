/// A fault in a line of JSON.
struct JSONError: Error, Equatable {
    /// In bytes from the start of the line.
    let offset: Int
    let message: String

    init(at offset: Int, _ message: String) {
        self.offset = offset
        self.message = message
    }
}

extension JSONDocument {
    /// Reads a line. Throws a `parse` error with the fault and its place.
    public func read(_ line: Span<UInt8>, limits: Limits = Limits()) throws(WireError) {
        do throws(JSONError) {
            try JSONReader.read(line, into: self, limits: limits)
        } catch {
            throw WireError(.parse, "\(error.message), at byte \(error.offset + 1)")
        }
    }

    /// Reads a line, without its line feed, in place of the line before.
    public func read(_ line: [UInt8], limits: Limits = Limits()) throws(WireError) {
        try read(line.span, limits: limits)
    }
}
