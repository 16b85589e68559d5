import Glibc
import TestSupport
import Testing

/// A file system of two megabytes for a daemon's store, in a mount namespace of its own. It is gone
/// when the process that holds the namespace ends.
final class DiskFixture {
    private let holder: Spawned
    private let folder: Folder

    /// `nil` if it cannot be mounted; prints the reason then.
    init?(for folder: Folder) throws {
        self.folder = folder
        mkdir(folder.state, 0o700)
        let own = geteuid() == 0 ? ["-m"] : ["-rm"]
        let script = """
            mount -t tmpfs -o size=2m,mode=700 tmpfs "$0" && echo mounted && exec tail -f /dev/null
            """
        holder = try Spawned(["unshare"] + own + ["sh", "-c", script, folder.state])
        guard try holder.await(until: .deadline, { $0 == "mounted" }) != nil else {
            skip("no small file system can be mounted: \(holder.lines)")
            return nil
        }
    }

    /// The command prefix that runs a program in the namespace.
    var words: [String] {
        let user = geteuid() == 0 ? [] : ["-U", "--preserve-credentials"]
        return ["nsenter", "-t", "\(holder.pid)", "-m"] + user
    }

    private var filler: String { "/proc/\(holder.pid)/root\(folder.state)/filler" }

    /// Fills the file system to the last byte.
    func fill() throws {
        let file = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        let bytes = [UInt8](repeating: 0, count: 4_096)
        while write(file, bytes, bytes.count) > 0 {}
        #expect(errno == ENOSPC)
    }

    func makeRoom() { #expect(unlink(filler) == 0) }
}
