import Glibc

/// The targets of the fuzzer. Each takes any bytes, and stops the program if a condition does not
/// hold. The fuzzer finds such bytes; the tests replay them.
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

/// Stops the program with a finding. Prints it first, because an optimised program does not.
func require(_ condition: Bool, _ finding: @autoclosure () -> String) {
    guard !condition else { return }
    print("finding:", finding())
    fflush(nil)
    preconditionFailure(finding())
}
