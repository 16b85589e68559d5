import BusdBroker
import BusdFiles
import BusdHosting
import BusdProtocol

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
                + (more > 0 ? "\nand \(more) more: the verb policy check shows all" : "")
        }

        /// Faults that one message names.
        private static let most = 20
    }

    private static let largest = BusPolicy.text.most

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
        let bytes: [UInt8]
        do {
            bytes = try readFile(path, most: Self.largest, .configured) { _ in
                PathTrust.problem(of: path)
            }
        } catch .notRegular {
            throw fault("this is not a regular file")
        } catch .tooLarge {
            throw fault("the file has more than \(Self.largest) bytes")
        } catch {
            throw fault(error.reason(of: path))
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw fault("the file is not UTF-8")
        }
        return text
    }

    private func fault(_ reason: String) -> Faults {
        Faults(lines: ["\(path): \(reason)".printable])
    }
}
