import BusdEventLoop
import Glibc

/// A file that is replaced in one step: its readers see the whole old text, or the whole new one.
/// It keeps its mode, and a link to it stays a link.
struct ReplacedFile {
    struct Failure: Error {
        let message: String
    }

    let path: String

    func write(_ text: String) throws(Failure) {
        let path =
            realpath(path, nil).map { found in
                defer { free(found) }
                return String(cString: found)
            } ?? path
        let new = "\(path).new"
        do throws(SystemError) {
            unlink(new)
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let file = Descriptor(file: try check("open") { open(new, flags, 0o666) })
            var status = stat()
            if stat(path, &status) == 0 {
                try check("fchmod") { fchmod(file.number, status.st_mode & 0o777) }
            }
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = try check("write") {
                    rest.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
                }
                rest = rest.dropFirst(count)
            }
            try check("fsync") { fsync(file.number) }
            try check("rename") { rename(new, path) }
        } catch {
            unlink(new)
            throw Failure(message: "\(path): \(error.reason)")
        }
    }
}
