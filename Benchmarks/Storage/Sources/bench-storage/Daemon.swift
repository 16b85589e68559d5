import Glibc
import Measures
import Writers

/// A busd with its store in a folder. A library that is loaded into the daemon counts its syncs,
/// because tracing would slow each of them down.
final class Daemon {
    let socket: String
    private let pid: pid_t
    private let syncFile: String
    /// From exec to the first answer, in seconds.
    let startTook: Double

    init(_ program: String, in folder: String) {
        socket = "\(folder)/busd.sock"
        syncFile = "\(folder)/syncs"
        let words = [program, "--socket", socket, "--state", "\(folder)/state"]
        let variables = ["LD_PRELOAD=\(Self.syncCount)", "BENCH_SYNCS=\(syncFile)"]
        let start = Clock.now
        pid = spawn(words, variables: variables)
        while Clock.now - start < 20 {
            if let client = Client(socket) {
                client.send("ping")
                client.awaitAnswer()
                startTook = Clock.now - start
                return
            }
            sched_yield()
        }
        stop("busd does not answer")
    }

    /// The library, in the folder of this program.
    private static var syncCount: String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let own = path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        let folder = own.prefix((own.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)
        return String(decoding: folder, as: UTF8.self) + "libSyncCount.so"
    }

    /// Number of calls of `fdatasync` so far.
    var syncs: Int {
        guard let file = fopen(syncFile, "r") else {
            stop("cannot read the number of syncs: \(syncFile)")
        }
        defer { fclose(file) }
        var count: UInt64 = 0
        if fread(&count, MemoryLayout<UInt64>.size, 1, file) != 1 {
            stop("cannot read the number of syncs: \(syncFile)")
        }
        return Int(count)
    }

    /// Resident memory in kilobytes.
    var memory: Int {
        guard let file = fopen("/proc/\(pid)/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
            if text.hasPrefix("VmRSS:") { return Int(text.filter(\.isNumber)) ?? 0 }
        }
        return 0
    }

    func end() {
        kill(pid, SIGTERM)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }
}
