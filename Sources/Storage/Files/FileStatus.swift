import BusdFiles
import BusdProtocol
import Glibc

/// The file that a path names.
struct FileStatus {
    /// Distinguishes a file from a later file of the same name.
    struct Identity: Equatable {
        let device: dev_t
        let node: ino_t
    }

    let owner: uid_t
    let mode: mode_t
    let size: Int
    /// Seconds since 1970.
    let modified: Int
    let identity: Identity

    /// `nil` if nothing has that name.
    ///
    /// - Parameter followsLink: the status of what a symbolic link leads to.
    init?(of path: String, followsLink: Bool = false) throws(StoreError) {
        var about = stat()
        guard (followsLink ? stat(path, &about) : lstat(path, &about)) == 0 else {
            let code = errno
            if code == ENOENT { return nil }
            throw StoreError.file(path: path, function: "lstat", code: code)
        }
        self.init(about)
    }

    private init(_ about: stat) {
        owner = about.st_uid
        mode = about.st_mode
        size = Int(widening: about.st_size)
        modified = Int(widening: about.st_mtim.tv_sec)
        identity = Identity(device: about.st_dev, node: about.st_ino)
    }

    func requireRegular(
        _ path: String, remedy: String = "move it away"
    ) throws(StoreError) {
        if let kind = irregularKind(of: mode) { throw .notRegular(path, kind, remedy: remedy) }
    }
}
