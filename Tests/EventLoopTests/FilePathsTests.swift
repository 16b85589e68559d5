import Testing

@testable import BusdEventLoop

@Suite struct FilePathsTests {
    @Test(arguments: [
        ("a", ".", "a"), ("/a", "/", "a"), ("a/b", "a", "b"), ("/a/b", "/a", "b"),
        ("/a/", "/a", ""), ("/", "/", ""), ("", ".", ""), ("/a//b", "/a/", "b"),
        ("/a/\u{301}b", "/a", "\u{301}b"), ("/\u{301}", "/", "\u{301}"),
        ("\u{301}/b", "\u{301}", "b"),
    ])
    func `a path is cut at the byte of its last slash`(
        path: String, folder: String, name: String
    ) {
        #expect(Array(parentFolder(of: path).utf8) == Array(folder.utf8))
        #expect(Array(lastName(of: path).utf8) == Array(name.utf8))
    }
}
