import Glibc
import Measures

/// A busd without a store. Its end and the removal of its folder come with `deinit`.
final class Daemon {
    let socket: String
    private let folder = newFolder()
    private let process: pid_t

    init(_ program: String, descriptors: Int? = nil) {
        socket = "\(folder)/busd.sock"
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        let log = open("\(folder)/log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        let limited = ["sh", "-c", #"ulimit -n "$0"; exec "$@""#, "\(descriptors ?? 0)"]
        process = spawn(
            (descriptors == nil ? [] : limited) + [
                program, "--socket", socket, "--state", ":memory:",
            ], [nothing, nothing, log])
        close(nothing)
        close(log)
        let started = wait(atMost: 20) { Peer(socket)?.ask("ping") != nil }
        if started == nil { stop("busd does not answer: \(wholeFile("\(folder)/log"))") }
        // Wait until that connection is closed, so later figures do not include it.
        let first = descriptorsInUse
        _ = wait(atMost: 0.2) { descriptorsInUse < first }
    }

    deinit {
        kill(process, SIGTERM)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        for name in ["log", "busd.sock", "view.sock", "busd.sock.lock", "view.sock.lock"] {
            unlink("\(folder)/\(name)")
        }
        rmdir(folder)
    }

    var isAlive: Bool { !wholeFile("/proc/\(process)/stat").contains(") Z ") }

    /// Resident memory in bytes.
    var memory: Int { status("VmRSS:") }

    /// The highest resident memory since `forgetPeak`, in bytes.
    var peak: Int { status("VmHWM:") }

    func forgetPeak() {
        guard let file = fopen("/proc/\(process)/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    private func status(_ name: String) -> Int {
        let lines = wholeFile("/proc/\(process)/status").split(separator: "\n")
        let line = lines.first { $0.hasPrefix(name) } ?? ""
        return (Int(line.filter(\.isNumber)) ?? 0) * 1024
    }

    var descriptorsInUse: Int {
        guard let folder = opendir("/proc/\(process)/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count - 2
    }

    /// Processor time so far, in seconds.
    var processorTime: Double {
        var (clock, time) = (clockid_t(), timespec())
        guard clock_getcpuclockid(process, &clock) == 0 else { return 0 }
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Number of lines in its log.
    var logLines: Int { wholeFile("\(folder)/log").utf8.count { $0 == UInt8(ascii: "\n") } }
}

/// Polls until `condition` is true. Returns the seconds that it took; `nil`: timed out.
@discardableResult
func wait(atMost seconds: Double, _ condition: () -> Bool) -> Double? {
    let start = Clock.now
    while !condition() {
        if Clock.now - start > seconds { return nil }
        usleep(500)
    }
    return Clock.now - start
}
