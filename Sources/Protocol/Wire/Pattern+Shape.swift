extension Pattern {
    /// Which segments of a pattern are names, which are `*`, and whether it ends with `**`. Of all
    /// patterns with the same shape, at most one matches an address.
    package struct Shape: Hashable, Sendable {
        /// Segments without a last `**`.
        fileprivate var count = 0
        /// The segments that are names, one bit each.
        fileprivate var named: UInt8 = 0
        fileprivate var isOpen = false

        /// The text of the pattern of this shape that matches an address with these segments;
        /// `nil`: none can.
        package func text(for segments: [Substring]) -> String? {
            guard count == segments.count || isOpen && count < segments.count else { return nil }
            var pieces = (0..<count).map { named & 1 << $0 == 0 ? "*" : segments[$0] }
            if isOpen { pieces.append("**") }
            return pieces.joined(separator: "/")
        }
    }

    /// It is computed for every subscription, so it takes one pass and makes no copy.
    package var shape: Shape {
        var shape = Shape()
        var last: UInt8?
        for byte in text.utf8 {
            if last == UInt8(ascii: "*"), byte == last {
                shape.isOpen = true
                shape.count -= 1
            } else if last == nil || last == UInt8(ascii: "/") {
                if byte != UInt8(ascii: "*") { shape.named |= 1 << shape.count }
                shape.count += 1
            }
            last = byte
        }
        return shape
    }
}
