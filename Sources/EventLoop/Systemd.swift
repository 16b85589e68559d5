import Glibc

/// The variables that systemd sets for a service, and the service's notifications:
/// sd_listen_fds(3), sd_watchdog_enabled(3) and sd_notify(3). Without systemd there is none of
/// them.
package struct Systemd {
    /// A socket that systemd opened. No object owns it yet.
    package struct Passed: Equatable {
        package let descriptor: Int32
        /// `FileDescriptorName=` of the socket unit.
        package let name: String
    }

    package let passed: [Passed]
    /// Systemd expects `WATCHDOG=1` at least this often. Nil: never.
    package let watchdogMicroseconds: Int64?
    let notifySocket: String?

    /// Reads the environment of the process. Call it once: it removes the variables about
    /// descriptors, so that no child takes them for its own.
    package static func takeFromEnvironment() throws(MalformedVariable) -> Systemd {
        defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) } }
        let variables = Variables { name in getenv(name).map { String(cString: $0) } }
        return try Systemd(variables, process: getpid())
    }

    init(_ variables: Variables, process: Int32) throws(MalformedVariable) {
        let process = Int64(process)  // fits: 32 bits do
        let listener = try variables.number("LISTEN_PID")
        let count = listener == process ? try variables.number("LISTEN_FDS", upTo: 1_000) : nil
        passed = Self.passed(count: count ?? 0, names: variables.value("LISTEN_FDNAMES") ?? "")

        let watched = try variables.number("WATCHDOG_PID") ?? process
        let interval = watched == process ? try variables.number("WATCHDOG_USEC") : nil
        watchdogMicroseconds = interval == 0 ? nil : interval

        notifySocket = variables.value("NOTIFY_SOCKET")
    }

    private static func passed(count: Int64, names: String) -> [Passed] {
        var names = names.split(separator: ":", omittingEmptySubsequences: false)[...]
        return (0..<Int32(count)).map { index in  // fits: it is 1,000 at most
            Passed(descriptor: 3 + index, name: names.popFirst().map { String($0) } ?? "")
        }
    }
}
