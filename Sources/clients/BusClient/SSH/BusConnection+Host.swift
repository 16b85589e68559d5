import BusdEventLoop
import BusdProtocol
import Glibc

extension BusConnection {
    /// Makes the first connection to another machine, and waits for it; the connection to a local
    /// daemon needs no waiting. `open` then reports the outcome.
    ///
    /// Meanwhile ssh may ask questions on the terminal. After a second without a connection, a note
    /// appears on standard error. A signal ends ssh first, and then the process.
    /// - Parameter limit: the user's time limit; nil or zero: as long as ssh tries.
    /// - Returns: why there is no connection; nil if there is one, or if the daemon is local.
    @discardableResult
    package func reach(as program: String, within limit: Duration?) throws(LoopFailure) -> Loss? {
        guard let dialer, loss == .notOpen else { return nil }
        let start = loop.clock.now
        let limit = limit == .zero ? nil : limit
        let terminal = TerminalModes()
        var outcome: SSHLink.Outcome?
        var signal: Int32?
        // Before ssh starts: it may change the terminal at once.
        var watches: [ClientLoop.Watch] = []
        for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
            watches.append(try loop.whenSignalled(number) { signal = number })
        }
        dialer.dial { outcome = $0 }
        let timers = [
            loop.clock.schedule(after: .seconds(1)) { terminal.note(program, dialer.host) },
            limit.map { limit in
                loop.clock.schedule(after: limit) {
                    outcome = .failure(
                        .unreachable(host: dialer.host, reason: "timed out while connecting"))
                }
            },
        ]
        withExtendedLifetime((timers, watches)) {
            while outcome == nil, signal == nil { loop.loop.turn(block: true) }
            // Ctrl-C also ends ssh, which may be noticed first.
            loop.loop.turn(block: false)
        }
        watches = []
        if let signal {
            dialer.hangUp()
            terminal.restore()
            kill(getpid(), signal)
        }
        if case .failure = outcome { dialer.hangUp() }
        dialer.prepared = outcome
        if limit != nil { spent = loop.clock.now - start }
        if case .failure(let loss) = outcome { return loss }
        return nil
    }

    /// The rest of a time limit after `reach`, at least 1 ms. Zero is without limit.
    package func left(of limit: Duration) -> Duration {
        limit == .zero ? .zero : max(limit - spent, .milliseconds(1))
    }

    /// From now on a screen has the terminal: ssh asks no questions and writes no messages there.
    package func becomeQuiet() { dialer?.isQuiet = true }
}

/// The terminal that ssh may ask questions on.
private struct TerminalModes {
    private let descriptor: Int32?
    private var modes = termios()

    init() {
        descriptor = [STDIN_FILENO, STDERR_FILENO, STDOUT_FILENO].first { isatty($0) == 1 }
        if let descriptor { tcgetattr(descriptor, &modes) }
    }

    /// Writes that the connection is being made, unless ssh is asking for a password: then the
    /// terminal does not echo.
    func note(_ program: String, _ host: String) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        var present = termios()
        if tcgetattr(STDERR_FILENO, &present) == 0, present.c_lflag & tcflag_t(ECHO) == 0 { return }
        let bytes = Array("\(program): connecting to \(host.printable) …\n".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }

    /// Restores the modes, in case ssh could not. A background process leaves the terminal alone.
    func restore() {
        guard let descriptor, tcgetpgrp(descriptor) == getpgrp() else { return }
        var modes = modes
        tcsetattr(descriptor, TCSANOW, &modes)
    }
}
