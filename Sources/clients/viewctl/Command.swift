import BusdOptions

/// One verb of the command line.
protocol Command {
    static var name: String { get }
    static var verb: Verb { get }

    /// Reads what the command line gave. Nothing is done yet.
    init(_ arguments: Arguments) throws(UsageError)

    func run(_ settings: Settings, _ paper: Paper) -> ExitStatus
}
