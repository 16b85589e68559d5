import TestSupport
import Testing

/// strace, which makes a system call fail or wait, or kills the process in it.
enum Strace {
    /// The command prefix for a program, which keeps its process id. Only calls on these files of
    /// the store are traced.
    static func words(
        _ options: [String], on folder: Folder,
        files: [String] = [""]
            + Folder.databases.flatMap { ["/\($0)", "/\($0)-wal", "/\($0).new"] },
        log: String
    ) -> [String] {
        return ["strace", "-D", "-f", "-qq", "-y", "-o", log]
            + files.flatMap { ["-P", folder.state + $0] } + options
    }

    /// Whether strace can be used; prints the reason if not.
    static func isInstalled() -> Bool {
        let options = ["-D", "-f", "-e", "trace=fsync", "-e", "inject=fsync:error=EIO"]
        if let (isSuccess, _) = try? Spawned.run(["strace"] + options + ["true"]), isSuccess {
            return true
        }
        skip("strace is not here, or may not trace")
        return false
    }
}
