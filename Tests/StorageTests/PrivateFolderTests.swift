import BusdProtocol
import Glibc
import TestSupport
import Testing

@testable import BusdStorage

/// The folder of a store that other users may enter, or that has foreign files.
@Suite struct PrivateFolderTests {
    private let folder: Folder
    private static let otherUser: uid_t = 65_534

    init() throws { folder = try Folder() }

    /// Expects that opening, checking and copying are refused, and that nothing changes.
    private func expectRefusal(
        _ path: String, _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let before = (folder.names, mode(of: folder.path))
        let uses: [() throws -> Void] = [
            { _ = try Store(folder: folder.path, durability: .full) {} },
            { _ = try Store.check(folder: folder.path) },
            { try Store.backup(folder: folder.path, to: "/nowhere/copy") },
        ]
        for use in uses {
            #expect(
                throws: StoreError.unsuitable(path: path, reason: reason),
                sourceLocation: sourceLocation, performing: use)
        }
        #expect((folder.names, mode(of: folder.path)) == before, sourceLocation: sourceLocation)
    }

    @Test(arguments: [0o701, 0o710, 0o744, 0o755, 0o777, 0o1777] as [mode_t])
    func `A folder that others may enter is refused, with the fix`(open: mode_t) throws {
        chmod(folder.path, open)
        let bits = String(open & 0o777, radix: 8)
        expectRefusal(
            folder.path,
            "is open to other users (mode \(bits)): if it is only for the daemon, run "
                + "chmod 700 \(folder.path)")
        chmod(folder.path, 0o700)
        try StoreFixture(folder).close()
    }

    @Test(arguments: [0o700, 0o2700, 0o1700] as [mode_t])
    func `A private folder is served, and keeps its mode`(own: mode_t) throws {
        chmod(folder.path, own)
        try StoreFixture(folder).close()
        #expect(mode(of: folder.path) == own)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder to another user"))
    func `A folder of another user is refused`() throws {
        chown(folder.path, Self.otherUser, Self.otherUser)
        expectRefusal(
            folder.path,
            "belongs to user 65534, and the daemon runs as user 0: run the daemon as user 65534, or name "
                + "another folder with --state")
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root can give a file to another user"),
        arguments: ["log.sqlite", "state.sqlite-wal", "store.ids", "store.lock"])
    func `A file of another user is refused, with the fix`(name: String) throws {
        try StoreFixture(folder).close()
        try BusdStorage.File.make(folder(name))
        chown(folder(name), Self.otherUser, Self.otherUser)
        expectRefusal(
            folder(name),
            "belongs to user 65534, not to user 0, the owner of its folder: run "
                + "chown 0 \(folder(name))")
        chown(folder(name), 0, 0)
        try StoreFixture(folder).close()
    }

    enum Kind: String, CaseIterable {
        case link = "a symbolic link"
        case loose = "a symbolic link to nothing"
        case fifo = "a FIFO"
        case socket = "a socket"
        case folder = "a folder"

        func make(at path: String) throws {
            switch self {
            case .link:
                try write([1], to: "\(path).else")
                try #require(symlink("\(path).else", path) == 0)
            case .loose: try #require(symlink("/nowhere", path) == 0)
            case .fifo: try #require(mkfifo(path, 0o600) == 0)
            case .socket: try #require(mknod(path, S_IFSOCK | 0o600, 0) == 0)
            case .folder: try #require(mkdir(path, 0o700) == 0)
            }
        }

        var name: String { rawValue.replacing(" to nothing", with: "") }
    }

    @Test(
        arguments: [
            "log.sqlite", "log.sqlite-wal", "state.sqlite", "state.sqlite-journal",
            "store.sqlite", "copy-1.sqlite", "store.ids", "store.lock",
        ], Kind.allCases)
    func `Nothing but a regular file is opened, and nothing waits`(
        name: String, kind: Kind
    ) throws {
        try StoreFixture(folder).close()
        unlink(folder(name))
        try kind.make(at: folder(name))
        expectRefusal(folder(name), "is \(kind.name), not a regular file: move it away")
    }

    @Test(
        arguments: ["store.ids.new", "backup.sqlite", "backup.sqlite.partial"],
        [Kind.link, .loose, .fifo, .socket])
    func `A file that busd makes new replaces anything but a folder`(
        name: String, kind: Kind
    ) throws {
        try kind.make(at: folder(name))
        let daemon = try StoreFixture(folder)
        try daemon.backup(to: folder("backup.sqlite")).get()
        #expect(mode(of: folder("backup.sqlite")) == 0o600)
        #expect(try Store.check(copy: folder("backup.sqlite")) == [])
        if kind == .link { #expect(try bytes(of: folder("\(name).else")) == [1]) }
        let added = kind == .link ? ["\(name).else"] : []
        daemon.close()
        let files = ["log.sqlite", "state.sqlite", "store.ids", "store.lock"]
        #expect(folder.names == (["backup.sqlite"] + files + added).sorted())
    }

    @Test(arguments: [Kind.link, .loose, .fifo, .folder])
    func `A copy that is no regular file is not checked`(kind: Kind) throws {
        try kind.make(at: folder("copy"))
        let error = StoreError.unsuitable(
            path: folder("copy"), reason: "is \(kind.name), not a regular file: move it away")
        #expect(throws: error) { try Store.check(copy: folder("copy")) }
    }

    @Test(arguments: [0, 0o077, 0o777] as [mode_t])
    func `A folder that busd makes is private whatever the umask`(mask: mode_t) async {
        await #expect(processExitsWith: .success) { [mask] in
            let folder = try Folder()
            umask(mask)
            try Store(folder: folder("a/b"), durability: .full) {}.close()
            for name in ["a", "a/b"] { #expect(mode(of: folder(name)) == 0o700) }
            for name in ["log.sqlite", "state.sqlite", "store.ids", "store.lock"] {
                #expect(mode(of: folder("a/b/\(name)")) == 0o600)
            }
        }
    }
}
