import BusdBroker
import BusdEventLoop
import BusdHosting
import BusdProtocol
import Glibc

/// The file that `--policy` names.
struct PolicyFile: Equatable {
    let path: String

    struct Content: Sendable {
        let text: String
        let policy: Policy
        /// Lines about users and groups that do not exist, as `PATH:LINE:COLUMN: …`.
        var warnings: [String] = []
        /// `5 lines`: those that decide something.
        var size: String {
            let lines = Set(policy.rules.map(\.line)).count
            return lines == 1 ? "1 line" : "\(lines) lines"
        }
    }

    /// What is wrong with the file.
    struct Faults: Error, CustomStringConvertible {
        /// One line for each.
        let lines: [String]
        /// The file may be right, because every fault is a name that cannot be looked up now.
        var isTemporary = false

        var description: String {
            let more = lines.count - Self.most
            return lines.prefix(Self.most).joined(separator: "\n")
                + (more > 0 ? "\nand \(more) more: busd policy check shows all" : "")
        }

        /// Faults that one message names.
        private static let most = 20
    }

    private static let largest = BusPolicy.limits.first?.value ?? 0

    /// - Parameter events: the events that a policy can decide.
    func read(
        _ accounts: Accounts = .ofMachine, events: @escaping () -> [SendableEvent]
    ) throws(Faults) -> Content {
        let text = try text()
        let outcome = PolicyReader(accounts, events: events).read(text)
        guard outcome.faults.isEmpty else {
            throw Faults(
                lines: outcome.faults.map { "\(path):\($0)".printable },
                isTemporary: outcome.faults.allSatisfy(\.isTemporary))
        }
        let warnings = outcome.warnings.map { "\(path):\($0): this line matches nobody".printable }
        return Content(text: text, policy: outcome.policy, warnings: warnings)
    }

    private func text() throws(Faults) -> String {
        // Opening a FIFO must not wait for its writer.
        let number = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw fault(String(cString: strerror(errno))) }
        let file = Descriptor(file: number)
        var about = stat()
        guard fstat(file.number, &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
            throw fault("this is not a regular file")
        }
        if let problem = PathTrust.problem(of: path) { throw fault(problem) }
        var bytes = [UInt8](repeating: 0, count: Self.largest + 1)
        var count = 0
        while count < bytes.count {
            let read = bytes.withUnsafeMutableBytes {
                file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[count...]))
            }
            guard case .bytes(let more) = read else {
                if case .failed(let error) = read { throw fault(error.reason) }
                break
            }
            count += more
        }
        guard count <= Self.largest else {
            throw fault("the file has more than \(Self.largest) bytes")
        }
        guard let text = String(validating: bytes[..<count], as: UTF8.self) else {
            throw fault("the file is not UTF-8")
        }
        return text
    }

    private func fault(_ reason: String) -> Faults {
        Faults(lines: ["\(path): \(reason)".printable])
    }
}
