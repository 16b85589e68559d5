import BusdEventLoop
import BusdFiles
import Glibc
import TestSupport
import Testing

struct ReadingTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try folder.write("0123456789", to: "file")
    }

    private static let all: [FilePlace] = [.named, .configured, .own]

    private func fault(
        _ name: String, _ place: FilePlace, most: Int = 10, unless problem: String? = nil
    ) -> FileFault? {
        do {
            _ = try readFile(folder(name), most: most, place) { _ in problem }
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: all)
    func `A file is read whole up to its limit`(place: FilePlace) throws {
        #expect(try readFile(folder("file"), most: 10, place) == Array("0123456789".utf8))
        #expect(fault("file", place, most: 9) == .tooLarge(9))
        try folder.write("", to: "empty")
        #expect(try readFile(folder("empty"), most: 0, place) == [])
    }

    @Test func `A file that is longer than a portion is read whole`() throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        try write(bytes, to: folder("long"))
        #expect(try readFile(folder("long")) == bytes)
    }

    @Test(arguments: all)
    func `A missing file and a path through a file are told apart`(place: FilePlace) {
        let missing = fault("missing", place)
        #expect(missing == .system(SystemError(code: ENOENT, function: "open")))
        #expect(missing?.isMissing == true)
        let inFile = fault("file/a", place)
        #expect(inFile?.isMissing == false)
        #expect(inFile?.reason(of: folder("file/a")) == "\(folder("file")) is not a folder")
    }

    @Test func `Symbolic links are followed unless the file is the program's own`() throws {
        try check("symlink") { symlink("file", folder("link")) }
        try check("symlink") { symlink("missing", folder("loose")) }
        #expect(fault("link", .named) == nil)
        #expect(fault("link", .configured) == nil)
        for name in ["link", "loose"] {
            #expect(fault(name, .own) == .notRegular("a symbolic link"))
        }
    }

    @Test(arguments: [FilePlace.configured, .own])
    func `Nothing but a regular file is read, and nothing waits`(place: FilePlace) throws {
        try check("mkfifo") { mkfifo(folder("fifo"), 0o600) }
        try check("mkdir") { mkdir(folder("folder"), 0o700) }
        #expect(fault("fifo", place) == .notRegular("a FIFO"))
        #expect(fault("folder", place) == .notRegular("a folder"))
    }

    @Test func `A socket of the program's own folder is not read`() throws {
        try check("mknod") { mknod(folder("socket"), S_IFSOCK | 0o600, 0) }
        #expect(fault("socket", .own) == .notRegular("a socket"))
    }

    @Test func `A user may name a pipe and a device`() throws {
        try check("mkfifo") { mkfifo(folder("fifo"), 0o600) }
        // Open for both, so that neither end waits for the other.
        var writer: Descriptor? = Descriptor(file: open(folder("fifo"), O_RDWR | O_CLOEXEC))
        let reader = try Descriptor(opening: folder("fifo"), .named)
        try #require(writer).write(all: [1, 2, 3])
        writer = nil
        #expect(try reader.readAll(most: 3) == [1, 2, 3])
        #expect(try readFile("/dev/null", most: 0) == [])
    }

    @Test func `A file that the caller refuses is not read`() {
        #expect(fault("file", .configured, most: 1, unless: "is old") == .refused("is old"))
    }

    @Test func `A folder has no content`() {
        #expect(fault("", .named) == .system(SystemError(code: EISDIR, function: "read")))
    }

    @Test func `A copy is the rest of the file`() throws {
        let source = try Descriptor(opening: folder("file"), .own)
        lseek(source.number, 2, SEEK_SET)
        let target = try Descriptor(opening: folder("copy"), .own, O_WRONLY | O_CREAT)
        #expect(try source.copyAll(to: target))
        #expect(try folder.text(of: "copy") == "23456789")
        #expect(mode(of: folder("copy")) == 0o600)
    }

    @Test func `A copy that is stopped ends before its first portion`() throws {
        let source = try Descriptor(opening: folder("file"), .own)
        let target = try Descriptor(opening: folder("copy"), .own, O_WRONLY | O_CREAT)
        #expect(try source.copyAll(to: target) { true } == false)
        #expect(try folder.text(of: "copy").isEmpty)
    }
}
