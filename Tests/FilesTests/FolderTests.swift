import BusdEventLoop
import BusdFiles
import Glibc
import TestSupport
import Testing

struct FolderTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func fault(_ path: String) throws -> FolderFault? {
        do {
            try FolderFault.check(OpenFolder(path).descriptor.status)
            return nil
        } catch let fault as FolderFault {
            return fault
        }
    }

    @Test(arguments: [0, 0o077, 0o777] as [mode_t])
    func `A private folder is made with those above it, whatever the umask`(
        mask: mode_t
    ) async {
        await #expect(processExitsWith: .success) { [mask] in
            let folder = try Folder()
            umask(mask)
            try makePrivateFolder(folder("a/b"))
            for name in ["a", "a/b"] { #expect(mode(of: folder(name)) == 0o700) }
        }
    }

    @Test func `A folder that is there is not changed`() throws {
        try check("mkdir") { mkdir(folder("a"), 0o700) }
        chmod(folder("a"), 0o2755)
        try makePrivateFolder(folder("a"))
        #expect(mode(of: folder("a")) == 0o2755)
    }

    @Test func `A folder below a file is an error`() throws {
        try folder.write("", to: "file")
        #expect(throws: SystemError(code: ENOTDIR, function: "mkdir")) {
            try makePrivateFolder(folder("file/a"))
        }
    }

    @Test func `A folder that others may enter is not private`() throws {
        #expect(try fault(folder.path) == nil)
        chmod(folder.path, 0o710)
        let fault = try #require(try fault(folder.path))
        #expect(fault == .open(0o710))
        #expect(
            fault.reason(of: "/a", "busd")
                == "is open to other users (mode 710): if it is only for busd, run chmod 700 /a")
    }

    @Test func `A file is no folder`() throws {
        try folder.write("", to: "file")
        let file = try Descriptor(opening: folder("file"), .own)
        #expect(throws: FolderFault.notFolder) { try FolderFault.check(file.status) }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a folder to another user"))
    func `A folder of another user is not private`() throws {
        chown(folder.path, 65_534, 65_534)
        let fault = try #require(try fault(folder.path))
        #expect(
            fault.reason(of: "/a", "busd-web")
                == "belongs to user 65534, and busd-web runs as user 0: run busd-web as user "
                + "65534, or name another folder with --state")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can act as another user"))
    func `Root acts as the owner of a folder, and is root again afterwards`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            chmod(folder.path, 0o755)
            try makePrivateFolder(folder("state"))
            chown(folder("state"), 65_534, 65_534)
            for path in ["state", "state/missing"] {
                try FolderOwner(of: folder(path), "busd").act {
                    #expect(geteuid() == 65_534)
                    try OpenFolder(folder("state")).replace("file", with: [1])
                }
                #expect(geteuid() == 0)
            }
            #expect(throws: CancellationError.self) {
                try FolderOwner(of: folder("state"), "busd").act { throw CancellationError() }
            }
            #expect(geteuid() == 0)
            var about = stat()
            #expect(stat(folder("state/file"), &about) == 0 && about.st_uid == 65_534)
        }
    }

    @Test(
        arguments: [
            (["STATE_DIRECTORY": "/a:/b", "XDG_STATE_HOME": "/c"], "/m", "/a"),
            (["STATE_DIRECTORY": "a", "XDG_STATE_HOME": "/c"], "/m", "/m"),
            (["STATE_DIRECTORY": "a", "XDG_STATE_HOME": "/c", "HOME": "/d"], nil, "/c/busd"),
            (["XDG_STATE_HOME": "c", "HOME": "/d"], nil, "/d/.local/state/busd"),
            (["HOME": "d"], nil, nil),
        ] as [([String: String], String?, String?)])
    func `The state folder is the first absolute one`(
        environment: [String: String], machine: String?, path: String?
    ) {
        #expect(stateFolder(of: "busd", machine: machine) { environment[$0] } == path)
    }
}
