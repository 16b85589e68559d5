import BusdOptions
import BusdProtocol

/// What a verb prints, and its exit status.
struct Report: Equatable {
    /// Lines for standard output.
    var output: [String] = []
    /// Lines for standard error, after the output.
    var notes: [String] = []
    var status = ExitStatus.done

    init() {}

    /// A verb that could do nothing.
    init(_ fault: StateFault) {
        fail(fault.description, fault.status)
    }

    mutating func fail(_ message: String, _ status: ExitStatus = .failed) {
        notes.append("busd-web: \(message.printable)")
        self.status = status
    }
}
