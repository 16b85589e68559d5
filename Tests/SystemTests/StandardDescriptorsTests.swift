import TestSupport
import Testing

/// A daemon that is started without some of its standard descriptors. It is a process of its own:
/// in the tests' process, other threads could take the free numbers.
struct StandardDescriptorsTests {
    private let folder: Folder
    private let manager: Child

    init() throws {
        folder = try Folder()
        manager = try Child([
            "socat", "-d", "-d", "-u", "UNIX-RECV:\(folder("notify"))", "STDOUT",
        ])
        try manager.errors.line(with: "data transfer loop")
    }

    @Test(arguments: [[], [0], [1], [2], [0, 1, 2]])
    func `A missing standard descriptor is replaced by an unusable one`(missing: [Int]) throws {
        let daemon = try startDaemon(without: missing)
        for number in 0...2 {
            let file = try link(number, of: daemon)
            guard missing.contains(number) else {
                #expect(file != "/dev/null")
                continue
            }
            #expect(file == "/dev/null")
            // Descriptor 0 is not open for reading, and 1 and 2 are not open for writing.
            #expect(try isForWriting(number, of: daemon) == (number == 0))
        }
    }

    /// Returns when the daemon has reported to systemd that it is ready.
    private func startDaemon(without missing: [Int]) throws -> Child {
        let closed = missing.map { "\($0)>&-" }.joined(separator: " ")
        let busd = "\(try Products.path("busd")) --state :memory: --socket \(folder("busd.sock"))"
        let daemon = try Child(
            ["bash", "-c", "exec \(busd) \(closed)"],
            environment: ["NOTIFY_SOCKET": folder("notify")])
        #expect(try manager.output.line() == "READY=1")
        return daemon
    }

    private func link(_ number: Int, of daemon: Child) throws -> String {
        let shown = try Child.run("readlink", "/proc/\(daemon.pid)/fd/\(number)").output
        return String(shown.prefix { $0 != "\n" })
    }

    private func isForWriting(_ number: Int, of daemon: Child) throws -> Bool {
        let about = try Child.run("cat", "/proc/\(daemon.pid)/fdinfo/\(number)").output
        let flags = try #require(about.firstMatch(of: /flags:\s+([0-7]+)/)?.output.1)
        return flags.hasSuffix("1")
    }
}
