/// One event per line: `−` was expected and did not arrive, `+` arrived and was not expected. Two
/// spaces precede an event that was expected and arrived.
func difference<Event: Equatable>(expected: [Event], received: [Event]) -> String {
    let changes = received.difference(from: expected)
    let missing = Set(changes.removals.map(\.offset))
    let surplus = Set(changes.insertions.map(\.offset))
    var lines: [String] = []
    var (left, right) = (0, 0)
    while left < expected.count || right < received.count {
        if missing.contains(left) {
            lines.append("− \(expected[left])")
            left += 1
        } else if surplus.contains(right) {
            lines.append("+ \(received[right])")
            right += 1
        } else {
            lines.append("  \(expected[left])")
            left += 1
            right += 1
        }
    }
    return lines.joined(separator: "\n")
}

extension CollectionDifference.Change {
    fileprivate var offset: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
