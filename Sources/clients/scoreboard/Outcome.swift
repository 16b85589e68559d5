import Glibc

/// How the program ends.
enum Outcome: Equatable {
    case done
    case noConnection(String)
    case refused(String)
    case unwritable(String)
    case signalled(Int32)

    /// After standard output did not take what was written. That nobody reads any more is no error.
    static func afterFailedWrite() -> Outcome {
        let code = errno
        let reason = String(cString: strerror(code))
        return code == EPIPE ? .done : .unwritable("standard output: \(reason)")
    }

    var status: Int32 {
        switch self {
        case .done: 0
        case .noConnection: 1
        case .refused: 2
        case .unwritable: 74
        case .signalled(let signal): 128 + signal
        }
    }

    /// For standard error; nil where there is nothing to be said.
    var message: String? {
        switch self {
        case .done, .signalled: nil
        case .noConnection(let text), .refused(let text), .unwritable(let text): text
        }
    }
}
