/// One line an event: what was expected and did not come, what came and was not expected, and between
/// them what did both.
func difference<Event: Equatable>(_ expected: [Event], _ came: [Event]) -> String {
    var lines = expected.map { "  \($0)" }
    for change in came.difference(from: expected) {
        switch change {
        case .remove(let offset, let event, _): lines[offset] = "− \(event)"
        case .insert: break
        }
    }
    return lines.joined(separator: "\n")
}
