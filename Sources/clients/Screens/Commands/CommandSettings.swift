package import BusdClient
package import BusdOptions
package import BusdProtocol

/// The options that all verbs share.
package struct CommandSettings {
    /// For messages.
    private let program: String
    package let daemon: DaemonName
    /// Nil: the default sockets of `daemon`.
    package let socket: String?
    /// Nil: this machine.
    package let host: RemoteHost?
    /// Nil: the default of the verb. Zero: no limit.
    package let timeout: Duration?
    package let form: OutputForm

    package static let jsonOption = Option("json", "j", "JSON lines, on a terminal too")
    package static let plainOption = Option("plain", "p", "text without colour, in a pipe too")

    /// - Parameter limits: the limits of the verbs without this option.
    package static func timeoutOption(_ limits: String) -> Option {
        Option(
            "timeout", "t", argument: "SECONDS",
            "time limit of the whole run; 0: no limit (default: \(limits))")
    }

    /// For a verb that asks for one thing after the other.
    package static let answerTimeout = timeoutOption("30 for each answer")

    /// - Parameters:
    ///   - daemon: without `--socket`, the program looks for a default socket of this daemon.
    ///   - timeout: the program's `--timeout`.
    ///   - isLocal: the verb has no `--host`, and ignores `BUSD_HOST`.
    package init(
        of program: String, _ arguments: Arguments, daemon: DaemonName = .busd,
        timeout: Option = answerTimeout, isLocal: Bool = false
    ) throws(UsageError) {
        (self.program, self.daemon) = (program, daemon)
        socket = try arguments.path(ClientSettings.socket)
        host = isLocal ? nil : try arguments.host(ClientSettings.host)
        self.timeout = try arguments.seconds(timeout)
        form = try OutputForm(arguments)
    }
}

extension CommandSettings {
    /// A connection that is not open yet.
    package func newConnection(name: String?) throws(LoopFailure) -> BusConnection {
        BusConnection(loop: try ClientLoop(), to: daemon, path: socket, host: host, name: name)
    }

    /// A connection that is ready for `open`. With a host, connecting has already succeeded or
    /// failed.
    package func connection(name: String? = nil) throws(LoopFailure) -> BusConnection {
        let connection = try newConnection(name: name)
        try connection.reach(as: program, within: timeout)
        return connection
    }

    /// - Parameter limit: the default of the verb.
    package func session(
        name: String? = nil, _ patience: Session.Patience = .forReturn, else limit: Session.Limit
    ) throws -> Session {
        Session(
            try connection(name: name), patience, within: timeout.map { .total($0) } ?? limit)
    }
}
