import BusdProtocol

/// The command line of ssh(1) that connects to the daemon on another machine.
struct SSHCommand {
    let host: RemoteHost
    let daemon: DaemonName
    /// The socket there; nil: `viewctl relay` looks for that of `daemon`.
    let path: String?
    let trust: Trust

    /// The daemon, for messages: `court`, or `court:/run/busd/busd.sock`.
    var place: String { path.map { "\(host):\($0)" } ?? host.name }

    /// - Parameter asks: false: ssh must not ask for a password, because a screen uses the
    ///   terminal.
    func words(asks: Bool) -> [String] {
        var options = Self.options
        if !asks { options.append("BatchMode=yes") }
        return ["ssh", "-T"] + options.flatMap { ["-o", $0] } + ["--", host.name, remote]
    }

    /// - No port is forwarded: a second client could not listen there, and ssh might fail.
    /// - It is not a master connection: its end must not end other sessions of the user.
    /// - A peer that is silent for 15 s is lost. TCP alone would take a quarter of an hour.
    private static let options = [
        "ClearAllForwardings=yes", "ControlMaster=no", "ServerAliveInterval=5",
    ]

    /// The command for the shell on the other machine.
    private var remote: String {
        var words = ["viewctl", "relay"]
        if trust == .daemonOfTrustedUser { words.append("--trusted") }
        if let path {
            words += ["--socket", Self.quoted(path)]
        } else if daemon != .busd {
            words += ["--daemon", Self.quoted(daemon.text)]
        }
        return words.joined(separator: " ")
    }

    /// A shell changes nothing inside single quotes. A single quote itself must be outside them.
    static func quoted(_ word: String) -> String {
        let quote = UInt8(ascii: "'")
        let bytes = word.utf8.flatMap { $0 == quote ? Array(#"'\''"#.utf8) : [$0] }
        return String(decoding: [quote] + bytes + [quote], as: UTF8.self)
    }
}
