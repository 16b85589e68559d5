import BusdEventLoop
import BusdProtocol
import Glibc

/// The file of `watch --resume`: the cursor of the last event that was printed, in one line.
struct ResumeFile {
    struct Failure: Error {
        let message: String
    }

    let path: String

    /// Nil if there is no file yet.
    func read() throws(Failure) -> Cursor? {
        guard let file = fopen(path, "re") else {
            if errno == ENOENT { return nil }
            throw Failure(message: "\(path): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = fread(&bytes, 1, bytes.count, file)
        if ferror(file) != 0 {
            throw Failure(message: "\(path): \(String(cString: strerror(errno)))")
        }
        let text = String(decoding: bytes.prefix(count).prefix { $0 > 0x20 }, as: UTF8.self)
        if text.isEmpty, count == 0 { return nil }
        guard let cursor = Cursor(text) else {
            throw Failure(message: "\(path) has no cursor: remove it to begin anew")
        }
        return cursor
    }

    func write(_ cursor: Cursor) throws(ReplacedFile.Failure) {
        try ReplacedFile(path: path).write("\(cursor)\n")
    }
}
