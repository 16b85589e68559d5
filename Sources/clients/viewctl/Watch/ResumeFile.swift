import BusdEventLoop
import BusdFiles
import BusdProtocol

/// The file of `watch --resume`: the cursor of the last event that was printed, in one line.
struct ResumeFile {
    struct Failure: Error {
        let message: String
    }

    let path: String

    /// Nil if there is no file yet.
    func read() throws(Failure) -> Cursor? {
        let bytes: [UInt8]
        do {
            bytes = try readFile(path, most: 4_096)
        } catch  where error.isMissing {
            return nil
        } catch {
            throw Failure(message: "\(path): \(error.reason(of: path))")
        }
        let text = String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
        if bytes.isEmpty { return nil }
        guard let cursor = Cursor(text) else {
            throw Failure(message: "\(path) has no cursor: remove it to begin anew")
        }
        return cursor
    }

    func write(_ cursor: Cursor) throws(Failure) {
        do {
            try replaceFile(path, with: Array("\(cursor)\n".utf8))
        } catch {
            throw Failure(message: "\(path): \(error.reason)")
        }
    }
}
