import Glibc

extension String {
    /// Calls `body` with the bytes of the UTF-8, which are valid until it returns.
    ///
    /// `utf8.span` is no alternative: in an optimised build, the span of a text of up to 15 bytes
    /// may be invalid before its last use (Swift 6.3).
    @inlinable
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
            ?? Array(utf8).withUnsafeBytes(body)
    }

    /// Whether both texts have the same bytes. `==` also holds for texts that differ in bytes but
    /// look alike.
    public func isExactly(_ other: String) -> Bool {
        withBytes { own in
            other.withBytes { own.hasSameBytes(as: $0) }
        }
    }
}

extension UnsafeRawBufferPointer {
    package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let own = baseAddress, let others = other.baseAddress else { return true }
        return memcmp(own, others, count) == 0
    }
}
