import BusdOptions

/// A verb of the command line.
protocol Command {
    static var name: String { get }
    static var verb: Verb { get }

    /// Reads the arguments. Does nothing else yet.
    init(_ arguments: Arguments) throws(UsageError)

    func run(_ settings: Settings, _ console: Console) throws -> ExitStatus
}
