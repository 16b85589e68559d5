package import BusdOptions

/// A verb of the command line.
package protocol Command {
    static var name: String { get }
    static var verb: Verb { get }

    /// Reads the arguments. Does nothing else yet.
    init(_ arguments: Arguments) throws(UsageError)

    func run(_ settings: CommandSettings, _ console: Console) throws -> ExitStatus
}
