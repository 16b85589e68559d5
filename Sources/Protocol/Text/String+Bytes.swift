extension String {
    /// Calls `body` with the bytes of the UTF-8, which are valid until it returns.
    ///
    /// In an optimised build, what `utf8.span` gives of a text of up to 15 bytes may be dead before
    /// the last call that reads it (Swift 6.3).
    @inline(__always)
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
            ?? Array(utf8).withUnsafeBytes(body)
    }
}
