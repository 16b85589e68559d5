import Options

/// One verb of the command line.
protocol Command {
    static var name: String { get }
    static var verb: Verb { get }

    /// Reads what the command line gave. Nothing is done yet.
    init(_ arguments: Arguments) throws(UsageError)

    func run(_ settings: Settings, _ paper: Paper) -> ExitStatus
}

/// How a program ends; see `viewctl --help`.
enum ExitStatus: Int32 {
    case done = 0
    case noConnection = 1
    case refused = 2
    case timedOut = 3
    case usage = 64
    case badInput = 65
    case outputFailed = 74
}
