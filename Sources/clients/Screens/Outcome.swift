import Glibc

/// How a program ends.
package struct Outcome: Equatable {
    package let status: Int32
    /// For standard error; nil where there is nothing to be said.
    package let message: String?

    package init(status: Int32, _ message: String? = nil) {
        self.status = status
        self.message = message
    }

    package static let done = Outcome(status: 0)

    package static func noConnection(_ text: String) -> Self { Outcome(status: 1, text) }

    package static func refused(_ text: String) -> Self { Outcome(status: 2, text) }

    package static let timedOut = Outcome(status: 3, "timed out")

    package static func signalled(_ signal: Int32) -> Self { Outcome(status: 128 + signal) }

    /// After standard output did not take what was written. That nobody reads any more is no error.
    package static func afterFailedWrite() -> Self {
        let code = errno
        if code == EPIPE { return .done }
        return Outcome(status: 74, "standard output: \(String(cString: strerror(code)))")
    }
}
