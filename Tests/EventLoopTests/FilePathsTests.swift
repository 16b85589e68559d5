import Glibc
import TestSupport
import Testing

@testable import BusdEventLoop

@Suite struct FilePathsTests {
    @Test(arguments: [
        ("a", ".", "a"), ("/a", "/", "a"), ("a/b", "a", "b"), ("/a/b", "/a", "b"),
        ("/a/", "/a", ""), ("/", "/", ""), ("", ".", ""), ("/a//b", "/a/", "b"),
        ("/a/\u{301}b", "/a", "\u{301}b"), ("/\u{301}", "/", "\u{301}"),
        ("\u{301}/b", "\u{301}", "b"),
    ])
    func `A path is cut at the byte of its last slash`(
        path: String, folder: String, name: String
    ) {
        #expect(Array(parentFolder(of: path).utf8) == Array(folder.utf8))
        #expect(Array(lastName(of: path).utf8) == Array(name.utf8))
    }

    @Test(arguments: ["file/a", "file/a/b", "folder/../file/a", "file/"])
    func `A file in the place of a folder is named`(path: String) throws {
        let folder = try Folder()
        try folder.write("", to: "file")
        try check("mkdir") { mkdir(folder("folder"), 0o700) }
        let file = path.hasPrefix("folder") ? folder("folder/../file") : folder("file")
        #expect(fileInPlaceOfFolder(in: folder(path)) == file)
        let error = SystemError(code: ENOTDIR, function: "open")
        #expect(error.folderProblem(in: folder(path)) == "\(file) is not a folder")
        #expect(SystemError(code: ENOENT, function: "open").folderProblem(in: folder(path)) == nil)
    }

    @Test(arguments: ["", "a", "/", "/a", "file", "folder/a", "missing/a"])
    func `A path through folders has no file in the place of a folder`(path: String) throws {
        let folder = try Folder()
        try folder.write("", to: "file")
        try check("mkdir") { mkdir(folder("folder"), 0o700) }
        #expect(fileInPlaceOfFolder(in: path) == nil)
        #expect(fileInPlaceOfFolder(in: folder(path)) == nil)
    }
}
