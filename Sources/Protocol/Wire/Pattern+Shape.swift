extension Pattern {
    /// What patterns have in common that name the same segments of an address, by their places, and
    /// leave the same ones open. Of all that have a shape one at the most matches an address.
    package struct Shape: Hashable, Sendable {
        /// Of each segment before an open end: whether it is named.
        fileprivate let isNamed: [Bool]
        fileprivate let isOpen: Bool

        /// The text of the one that matches an address with these segments.
        package func text(for segments: [Substring]) -> String? {
            guard isNamed.count == segments.count || isOpen && isNamed.count < segments.count else {
                return nil
            }
            var pieces = zip(isNamed, segments).map { $0 ? $1 : "*" }
            if isOpen { pieces.append("**") }
            return pieces.joined(separator: "/")
        }
    }

    package var shape: Shape {
        var pieces = text.split(separator: "/")
        let isOpen = pieces.last == "**"
        if isOpen { pieces.removeLast() }
        return Shape(isNamed: pieces.map { $0 != "*" }, isOpen: isOpen)
    }
}
