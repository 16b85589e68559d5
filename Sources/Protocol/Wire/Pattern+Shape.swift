extension Pattern {
    /// What patterns have in common that name the same segments of an address, by their places, and
    /// leave the same ones open. Of all that have a shape one at the most matches an address.
    package struct Shape: Hashable, Sendable {
        /// Segments before an open end.
        fileprivate var count = 0
        /// Those that are named, as bits.
        fileprivate var named: UInt8 = 0
        fileprivate var isOpen = false

        /// The text of the one that matches an address with these segments.
        package func text(for segments: [Substring]) -> String? {
            guard count == segments.count || isOpen && count < segments.count else { return nil }
            var pieces = (0..<count).map { named & 1 << $0 == 0 ? "*" : segments[$0] }
            if isOpen { pieces.append("**") }
            return pieces.joined(separator: "/")
        }
    }

    /// It is looked for with every subscription, so it takes one pass, without a copy.
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
