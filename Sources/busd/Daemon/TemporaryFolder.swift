import Glibc

/// A new folder below `$TMPDIR`, or else /tmp, that only its owner may enter.
struct TemporaryFolder {
    let path: String

    init() throws(StartError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        var template = Array("\(parent.isEmpty ? "/tmp" : parent)/busd-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw StartError(
                "\(parent.isEmpty ? "/tmp" : parent): \(String(cString: strerror(errno))): "
                    + "name a folder for temporary files with TMPDIR")
        }
        path = String(cString: made)
    }

    /// Removes the folder if it is empty.
    func remove() { rmdir(path) }
}
