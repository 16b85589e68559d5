import BusdProtocol

/// Reports the events of a kind that its `examples` lack. Swift cannot list the cases of an enum,
/// so such an event is found when it is first sent or received.
final class MissingExamples {
    private let kind: String
    private let faults: Faults
    private var reported: [String] = []

    init(of kind: String, _ faults: Faults) {
        (self.kind, self.faults) = (kind, faults)
    }

    /// - Parameters:
    ///   - name: of the event.
    ///   - type: the enum that has it.
    func note(_ name: String, in type: String) {
        guard !reported.contains(where: { $0.isExactly(name) }) else { return }
        reported.append(name)
        faults.add("the kind '\(kind)' has no example of \(name): add one to \(type).examples")
    }
}
