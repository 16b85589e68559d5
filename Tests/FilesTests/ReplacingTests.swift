import BusdEventLoop
import BusdFiles
import Glibc
import TestSupport
import Testing

struct ReplacingTests {
    private let folder: Folder
    private let open: OpenFolder

    init() throws {
        folder = try Folder()
        open = try OpenFolder(folder.path)
        try folder.write("old", to: "file")
    }

    private let new = Array("new".utf8)

    @Test func `A file has the new content, and is for its owner only`() throws {
        try open.replace("file", with: new)
        try open.replace("other", with: new)
        for name in ["file", "other"] {
            #expect(try folder.text(of: name) == "new")
            #expect(mode(of: folder(name)) == 0o600)
        }
        #expect(folder.names == ["file", "other"])
    }

    @Test(arguments: [0, 0o077, 0o777] as [mode_t])
    func `The mode does not depend on the umask`(mask: mode_t) async {
        await #expect(processExitsWith: .success) { [mask] in
            let folder = try Folder()
            umask(mask)
            try OpenFolder(folder.path).replace("file", with: [1])
            #expect(mode(of: folder("file")) == 0o600)
        }
    }

    @Test func `Readers see the old content until all of the new content is written`() throws {
        try open.replace("file", by: "else", failure: { $0 }) { file throws(SystemError) in
            try file.write(all: [1])
            #expect((try? folder.text(of: "file")) == "old")
            #expect(presentBytes(of: folder("else")) == [1])
            try file.write(all: [2])
        }
        #expect(try bytes(of: folder("file")) == [1, 2])
        #expect(folder.names == ["file"])
    }

    @Test func `Content that cannot be written leaves the old file, and nothing else`() throws {
        let full = SystemError(code: ENOSPC, function: "write")
        #expect(throws: full) {
            try open.replace("file", by: "file.new", failure: { $0 }) { file throws(SystemError) in
                try file.write(all: [1])
                throw full
            }
        }
        #expect(try folder.text(of: "file") == "old")
        #expect(folder.names == ["file"])
    }

    @Test func `A file that a crash has left is removed`() throws {
        try folder.write("a longer text", to: OpenFolder.unfinished("file"))
        try open.replace("file", with: new)
        #expect(try folder.text(of: "file") == "new")
        #expect(folder.names == ["file"])
    }

    @Test(arguments: ["file", "file.new"])
    func `A symbolic link is replaced, and its target is not touched`(name: String) throws {
        try folder.write("mine", to: "target")
        unlink(folder(name))
        try check("symlink") { symlink("target", folder(name)) }
        try open.replace("file", with: new)
        #expect(try folder.text(of: "file") == "new")
        #expect(try folder.text(of: "target") == "mine")
        #expect(folder.names == ["file", "target"])
    }

    @Test func `A folder at the name is an error, and stays`() throws {
        try check("mkdir") { mkdir(folder("folder"), 0o700) }
        #expect(throws: SystemError(code: EISDIR, function: "rename")) {
            try open.replace("folder", with: new)
        }
        #expect(folder.names == ["file", "folder"])
    }

    @Test func `An open folder stays the same folder when its path changes`() throws {
        try check("mkdir") { mkdir(folder("a"), 0o700) }
        let open = try OpenFolder(folder("a"))
        try check("rename") { rename(folder("a"), folder("b")) }
        try open.replace("file", with: new)
        #expect(try open.read("file", most: 3) == new)
        #expect(try folder.text(of: "b/file") == "new")
    }

    @Test func `A file that a user names keeps its mode, and a link to it stays`() throws {
        try check("mkdir") { mkdir(folder("folder"), 0o700) }
        try folder.write("old", to: "folder/file")
        chmod(folder("folder/file"), 0o640)
        try check("symlink") { symlink("folder/file", folder("link")) }
        try replaceFile(folder("link"), with: new)
        #expect(try folder.text(of: "folder/file") == "new")
        #expect(mode(of: folder("folder/file")) == 0o640)
        var about = stat()
        #expect(lstat(folder("link"), &about) == 0 && about.st_mode & S_IFMT == S_IFLNK)
        #expect(names(in: folder("folder")) == ["file"])
    }

    @Test func `A new file that a user names has the mode of the umask`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            umask(0o027)
            try replaceFile(folder("file"), with: [1])
            #expect(mode(of: folder("file")) == 0o640)
        }
    }

    @Test func `A file in a missing folder is an error`() {
        #expect(throws: SystemError(code: ENOENT, function: "open")) {
            try replaceFile(folder("missing/file"), with: new)
        }
    }

    @Test func `The names of a folder are its content`() throws {
        try folder.write("", to: ".hidden")
        #expect(try open.names().sorted() == [".hidden", "file"])
    }

    @Test func `A file is removed, and a missing one is no error`() throws {
        #expect(try open.remove("file"))
        #expect(try !open.remove("file"))
        #expect(folder.names == [])
        try check("mkdir") { mkdir(folder("folder"), 0o700) }
        #expect(throws: SystemError(code: EISDIR, function: "unlink")) {
            try open.remove("folder")
        }
    }

    @Test func `A link to a folder is opened only if links are followed`() throws {
        try check("symlink") { symlink(folder.path, folder("link")) }
        #expect(try OpenFolder(folder("link")).read("file", most: 3) == Array("old".utf8))
        #expect(throws: SystemError.self) { try OpenFolder(folder("link"), followsLink: false) }
    }
}
