package import BusdClient
package import BusdOptions
package import BusdProtocol
import Glibc

/// How a program ends.
package struct Outcome: Error, Equatable {
    package let status: Int32
    /// For standard error; nil: nothing is written.
    package let message: String?

    package init(status: Int32, _ message: String? = nil) {
        self.status = status
        self.message = message
    }

    package init(_ status: ExitStatus, _ message: String? = nil) {
        self.init(status: status.rawValue, message)
    }

    package static let done = Outcome(.done)

    package static func noConnection(_ text: String) -> Self { Outcome(.noConnection, text) }

    package static func lost(_ loss: Loss) -> Self { Outcome(ExitStatus(loss), loss.advice) }

    package static func refused(_ error: WireError) -> Self {
        Outcome(ExitStatus(refusedWith: error.code), error.message)
    }

    /// The watched view model was deleted.
    package static func gone(_ text: String) -> Self { Outcome(.gone, text) }

    package static let timedOut = Outcome(.timedOut, "timed out")

    package static func signalled(_ signal: Int32) -> Self { Outcome(status: 128 + signal) }

    /// After a failed write to standard output. A closed pipe is no error.
    package static func afterFailedWrite() -> Self {
        let code = errno
        if code == EPIPE { return .done }
        return Outcome(.outputFailed, "standard output: \(String(cString: strerror(code)))")
    }
}

extension ExitStatus {
    package init(_ loss: Loss) {
        if case .notPermitted = loss { self = .denied } else { self = .noConnection }
    }
}

extension Loss {
    /// The description, and what the user can do.
    package var advice: String {
        guard case .noDaemon(let path) = self else { return description }
        if path.utf8.first != UInt8(ascii: "/") || path.hasSuffix("/view.sock") {
            return "\(description): start one there"
        }
        // A default socket has its daemon's name.
        let name = DaemonName(String(path.split(separator: "/").last?.dropLast(5) ?? ""))
        let isDefault = path.hasSuffix(name.socket(in: ""))
        let program = path.hasSuffix(".sock") && name.problem == nil ? name : .busd
        let start = isDefault ? name.text : "\(program) --socket \(path)"
        return "\(description): start one with \(start)"
    }
}
