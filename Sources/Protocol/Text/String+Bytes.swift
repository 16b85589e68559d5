extension String {
    /// Calls `body` with the bytes of the UTF-8, which are valid until it returns.
    ///
    /// `utf8.span` is no alternative: in an optimised build, the span of a text of up to 15 bytes
    /// may be invalid before its last use (Swift 6.3).
    @inlinable
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
            ?? Array(utf8).withUnsafeBytes(body)
    }
}
