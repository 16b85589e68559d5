import BusdEventLoop
import Glibc
import TestSupport
import Testing

@testable import BusdDaemon

/// Where `busd backup` puts a copy that was made in the folder of the store.
@Suite struct BackupTargetTests {
    private let folder: Folder
    /// On another file system.
    private let other: Folder

    init() throws {
        folder = try Folder()
        other = try Folder(in: "/dev/shm")
        try #require(mkdir(folder("state"), 0o700) == 0)
        let made = Descriptor(file: open(folder("state/backup.sqlite"), O_WRONLY | O_CREAT, 0o600))
        made.write("the copy")
    }

    private func deliver(
        to path: String, after prepare: () throws -> Void = {}
    ) throws {
        let settings = try Settings(in: folder, keepsState: true)
        let target = try BackupTarget(path, outside: folder("state"))
        try prepare()
        _ = try Maintenance(settings).deliver(folder("state/backup.sqlite"), to: target)
    }

    private func refusal(_ body: () throws -> Void) -> String? {
        let error = #expect(throws: (any Error).self) { try body() }
        return error.map { "\($0)" }
    }

    private func text(of path: String) -> String? {
        presentBytes(of: path).map { String(decoding: $0, as: UTF8.self) }
    }

    private func expectDelivery(to place: Folder) {
        #expect(text(of: place("wanted")) == "the copy")
        #expect(mode(of: place("wanted")) == 0o600)
        #expect(place.names.filter { $0.hasPrefix(".busd") } == [])
        #expect(mode(of: folder("state/backup.sqlite")) == nil)
    }

    @Test(arguments: [false, true])
    func `A copy is moved to its target, and replaces an older file there`(isOther: Bool) throws {
        let place = isOther ? other : folder
        try place.write("SQLite format 3\0the older copy, which is longer", to: "wanted")
        chmod(place("wanted"), 0o644)
        try deliver(to: place("wanted"))
        expectDelivery(to: place)
    }

    @Test(arguments: [false, true])
    func `A copy is put in the folder that was opened, even if a link takes its name`(
        isOther: Bool
    ) throws {
        let place = isOther ? other : folder
        try #require(mkdir(place("backups"), 0o700) == 0)
        try deliver(to: place("backups/wanted")) {
            rename(place("backups"), place("moved"))
            symlink(folder("state"), place("backups"))
        }
        #expect(text(of: place("moved/wanted")) == "the copy")
        #expect(folder.names.contains("state"))
        #expect(mode(of: folder("state/wanted")) == nil)
    }

    @Test(arguments: [false, true])
    func `A link that appears at the target's name is replaced, not followed`(
        isOther: Bool
    ) throws {
        let place = isOther ? other : folder
        try place.write("kept", to: "victim")
        try deliver(to: place("wanted")) { symlink(place("victim"), place("wanted")) }
        expectDelivery(to: place)
        #expect(text(of: place("victim")) == "kept")
    }

    @Test(arguments: ["link", "fifo", "folder", "loose", "socket"])
    func `A target that is no regular file is refused before anything is copied`(
        kind: String
    ) throws {
        let path = other("wanted")
        switch kind {
        case "link":
            try other.write("kept", to: "victim")
            symlink(other("victim"), path)
        case "loose": symlink("/nowhere", path)
        case "fifo": mkfifo(path, 0o600)
        case "socket": mknod(path, S_IFSOCK | 0o600, 0)
        default: mkdir(path, 0o700)
        }
        #expect(
            refusal { try deliver(to: path) }
                == "\(path) exists and is not a regular file: name another file")
        #expect(text(of: folder("state/backup.sqlite")) == "the copy")
    }

    @Test(arguments: ["rules of a policy", "SQLite format 2\0", "SQLite"])
    func `A file that is no backup is not replaced`(content: String) throws {
        let path = other("wanted")
        try other.write(content, to: "wanted")
        #expect(
            refusal { try deliver(to: path) }
                == "\(path) exists and is no backup: name another file")
        #expect(text(of: path) == content)
        try other.write("", to: "wanted")
        try deliver(to: path)
        expectDelivery(to: other)
    }

    @Test func `A target in the folder of the store is refused, also through links`() throws {
        symlink(folder("state"), folder("link"))
        for path in [folder("state/wanted"), folder("link/wanted"), folder("link/../state/wanted")]
        {
            #expect(
                refusal { try deliver(to: path) }
                    == "\(path) is in the folder of the store: name a file in another folder")
        }
    }

    @Test(arguments: ["", "/", "/.", "/.."])
    func `A folder as the target of a copy is refused`(end: String) throws {
        let path = end.isEmpty ? ".." : folder.path + end
        #expect(refusal { try deliver(to: path) } == "\(path) is a folder: name a file")
    }

    @Test func `A missing folder is reported before anything is copied`() throws {
        #expect(
            refusal { try deliver(to: folder("no/such")) }
                == "\(folder("no/such")): No such file or directory")
        #expect(text(of: folder("state/backup.sqlite")) == "the copy")
    }

    @Test(arguments: [false, true])
    func `A copy that cannot be moved stays, and the error names its place`(isOther: Bool) throws {
        let place = isOther ? other : folder
        let message = refusal {
            try deliver(to: place("wanted")) { mkdir(place("wanted"), 0o700) }
        }
        #expect(
            message == "\(place("wanted")): Is a directory; the copy is at "
                + folder("state/backup.sqlite"))
        #expect(text(of: folder("state/backup.sqlite")) == "the copy")
        #expect(place.names.filter { $0.hasPrefix(".busd") } == [])
    }

    @Test func `A signal ends the command, and the unfinished copy is removed`() async throws {
        let (made, wanted) = (other("made"), folder("wanted"))
        try other.write("the copy", to: "made")
        await #expect(processExitsWith: .signal(SIGINT)) {
            [made = made as String, wanted = wanted as String] in
            // A shell's background job ignores the signal, and the thread of a test blocks it.
            signal(SIGINT, SIG_DFL)
            unblockSignals()
            let target = try BackupTarget(wanted, outside: "/nowhere")
            let source = Descriptor(file: open(made, O_RDONLY))
            var signals = HeldSignals()
            defer { signals.release() }
            raise(SIGINT)
            #expect(throws: StartError.self) { try target.take(source, at: made) }
        }
        #expect(folder.names == ["state"])
    }

    @Test func `A signal that the process ignores is never pending`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGHUP, SIG_IGN)
            let signals = HeldSignals()
            raise(SIGHUP)
            exit(signals.isPending ? 1 : 0)
        }
    }

    @Test(arguments: [false, true])
    func `A copy gets its whole name if that begins with a combining mark`(isOther: Bool) throws {
        let place = isOther ? other : folder
        try deliver(to: place("\u{301}wanted"))
        #expect(text(of: place("\u{301}wanted")) == "the copy")
        #expect(mode(of: place("wanted")) == nil)
    }
}
