import Glibc

/// What is fuzzed: each takes any bytes, and stops the program where something is not as it must
/// be. The fuzzer finds the bytes; the tests play those again that it has found.
public enum FuzzTarget: String, CaseIterable, Sendable {
    /// Lines of JSON, and events read from them.
    case reader
    /// Lines of the words form.
    case words
    /// Conversations of several clients with the whole bus.
    case bus

    public func run(_ bytes: [UInt8]) {
        switch self {
        case .reader: fuzzReader(bytes)
        case .words: fuzzWords(bytes)
        case .bus: fuzzBus(bytes)
        }
    }
}

/// A finding. An optimised program does not say why it stops.
func require(_ condition: Bool, _ finding: @autoclosure () -> String) {
    guard !condition else { return }
    print("finding:", finding())
    fflush(nil)
    preconditionFailure(finding())
}
