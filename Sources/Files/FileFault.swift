package import BusdEventLoop
package import Glibc

/// Why a file cannot be opened or read.
package enum FileFault: Error, Equatable {
    case system(SystemError)
    /// It is something else, such as `a FIFO`.
    case notRegular(String)
    /// It has more bytes than this.
    case tooLarge(Int)
    /// The caller has refused it, for this reason.
    case refused(String)

    package var isMissing: Bool {
        if case .system(let error) = self { error.code == ENOENT } else { false }
    }

    /// Without the path: `No such file or directory`, `is not a regular file`.
    ///
    /// - Parameter path: the path of the file, to find a part of it that is not a folder.
    package func reason(of path: String) -> String {
        switch self {
        case .system(let error): error.folderProblem(in: path) ?? error.reason
        case .notRegular: "is not a regular file"
        case .tooLarge(let most): "has more than \(most) bytes"
        case .refused(let reason): reason
        }
    }
}

/// `a FIFO`; `nil` for a regular file.
///
/// - Parameter mode: the member `st_mode` of stat(2).
package func irregularKind(of mode: mode_t) -> String? {
    switch mode & S_IFMT {
    case S_IFREG: nil
    case S_IFLNK: "a symbolic link"
    case S_IFDIR: "a folder"
    case S_IFIFO: "a FIFO"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
}
