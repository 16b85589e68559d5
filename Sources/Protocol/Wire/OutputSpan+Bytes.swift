/// Appends in one piece. The caller has reserved the capacity.
extension OutputSpan<UInt8> {
    /// Bytes of the longest integer.
    public static var longestDecimal: Int { 20 }

    @inline(__always)
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count <= freeCapacity, "there is no room")  // holds: callers reserve it
        withUnsafeMutableBufferPointer { buffer, count in
            UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                .copyMemory(from: bytes)
            count += bytes.count
        }
    }

    package mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBytes { append($0) }
    }

    package mutating func append(_ bytes: [UInt8]) { append(bytes.span) }

    @inline(__always)
    package mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends a text in which nothing needs an escape, in quotes.
    @inline(__always)
    mutating func append(quoted text: UnsafeRawBufferPointer) {
        append(UInt8(ascii: "\""))
        append(text)
        append(UInt8(ascii: "\""))
    }

    /// Appends an integer as its digits.
    public mutating func append(decimal integer: Int) {
        if integer < 0 { append(UInt8(ascii: "-")) }
        var rest = integer.magnitude
        let length = Self.digits(of: rest)
        precondition(length <= freeCapacity, "there is no room")  // holds: as above
        withUnsafeMutableBufferPointer { buffer, count in
            count += length
            var place = count
            repeat {
                place &-= 1
                buffer.initializeElement(
                    at: place, to: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10))
                rest /= 10
            } while rest > 0
        }
    }

    @inline(__always)
    private static func digits(of number: UInt) -> Int {
        var (digits, rest) = (0, number)
        while rest >= 10_000 {
            digits &+= 4
            rest /= 10_000
        }
        return digits &+ (rest < 10 ? 1 : rest < 100 ? 2 : rest < 1_000 ? 3 : 4)
    }
}

extension String {
    /// A short text, for a fifth of the cost of an interpolation.
    ///
    /// - Parameters:
    ///   - capacity: the most bytes that `write` appends.
    ///   - write: appends UTF-8.
    public init(capacity: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        self.init(unsafeUninitializedCapacity: capacity) { buffer in
            var out = OutputSpan(buffer: buffer, initializedCount: 0)
            write(&out)
            return out.finalize(for: buffer)
        }
    }
}

extension [UInt8] {
    package mutating func append(contentsOf bytes: Span<UInt8>) {
        append(addingCapacity: bytes.count) { $0.append(bytes) }
    }

    package mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
        append(addingCapacity: bytes.count) { $0.append(bytes) }
    }

    /// Appends an integer as its digits.
    package mutating func append(decimal integer: Int) {
        append(addingCapacity: OutputSpan.longestDecimal) { $0.append(decimal: integer) }
    }
}
