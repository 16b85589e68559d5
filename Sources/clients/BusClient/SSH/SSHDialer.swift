import BusdEventLoop
import Glibc

/// Connects to the daemon on another machine, one attempt at a time.
final class SSHDialer {
    let command: SSHCommand
    private let loop: Loop
    private var link: SSHLink?
    /// An outcome that the next `dial` reports at once.
    var prepared: SSHLink.Outcome?
    /// A screen uses the terminal, so ssh must not ask or write there.
    var isQuiet = false {
        didSet { if isQuiet { link?.becomeQuiet() } }
    }

    init(_ loop: Loop, _ command: SSHCommand) {
        self.loop = loop
        self.command = command
    }

    var host: String { command.host.name }

    /// `done` is called once, by the loop or before this returns.
    func dial(_ done: @escaping (SSHLink.Outcome) -> Void) {
        if let outcome = prepared {
            prepared = nil
            return done(outcome)
        }
        link = nil
        do throws(SystemError) {
            link = try SSHLink(loop, command, isQuiet: isQuiet, done)
        } catch {
            let reason = error.code == ENOENT ? "ssh is not installed" : error.description
            done(.failure(.unreachable(host: host, reason: reason)))
        }
    }

    /// Ends ssh.
    func hangUp() {
        prepared = nil
        link = nil
    }

    var reasonOfEnd: Loss {
        link?.reasonOfEnd ?? .unreachable(host: host, reason: "the connection ended")
    }
}
