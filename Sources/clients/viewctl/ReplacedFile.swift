import Glibc

/// A file that is replaced in one step: its readers see the whole old text, or the whole new one.
struct ReplacedFile {
    struct Failure: Error {
        let message: String
    }

    let path: String

    func write(_ text: String) throws(Failure) {
        let new = "\(path).new"
        guard let file = fopen(new, "we") else { throw Self.failure(new) }
        let bytes = Array(text.utf8)
        let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
        guard fclose(file) == 0, isWritten, rename(new, path) == 0 else {
            throw Self.failure(path)
        }
    }

    private static func failure(_ path: String) -> Failure {
        Failure(message: "\(path): \(String(cString: strerror(errno)))")
    }
}
