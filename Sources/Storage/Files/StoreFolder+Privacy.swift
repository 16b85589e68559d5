import BusdEventLoop
import BusdFiles
import Glibc

// A store's folder is private: its owner is the user of this process, and no other user may enter
// it. So no other user can replace a file between a check and its use, and paths in the folder are
// safe. The mode of a folder is set only when busd makes it.
extension StoreFolder {
    /// Makes the folder if it is missing, with the folders above it; else verifies it.
    func make() throws(StoreError) {
        try onFile(path) { () throws(SystemError) in try makePrivateFolder(path) }
        try verify()
    }

    /// Throws unless the folder is private, and its files are regular files of its owner. Changes
    /// nothing. A missing folder passes.
    func verify() throws(StoreError) {
        var about = stat()
        guard stat(path, &about) == 0 else {
            let code = errno
            if code == ENOENT { return }
            throw .file(path: path, function: "stat", code: code)
        }
        do {
            try FolderFault.check(about)
        } catch {
            throw .unsuitable(path: path, reason: error.reason(of: path, "the daemon"))
        }
        for file in files { try verify(file) }
    }

    private func verify(_ file: String) throws(StoreError) {
        guard let status = try FileStatus(of: file) else { return }
        try status.requireRegular(file)
        guard status.owner == geteuid() else {
            throw .unsuitable(
                path: file,
                reason: "belongs to user \(status.owner), not to user \(geteuid()), the owner of "
                    + "its folder: run chown \(geteuid()) \(file)")
        }
    }
}
