import BusdEventLoop
import BusdFiles
import Glibc

/// Whether only root and the user of this process can decide what a path leads to.
enum PathTrust {
    /// As the kernel.
    private static let mostLinks = 40

    /// Why others can replace or change the file; `nil`: they cannot. Looks at the file, at each
    /// symbolic link that leads to it, and at the folder of each.
    static func problem(of path: String) -> String? {
        var path = path
        for _ in 0..<mostLinks {
            let folder = parentFolder(of: path)
            if let problem = problem(ofFolder: folder) { return problem }
            var about = stat()
            guard lstat(path, &about) == 0 else { return String(cString: strerror(errno)) }
            if let problem = problem(ofOwner: about, path) { return problem }
            guard about.st_mode & S_IFMT == S_IFLNK else {
                guard about.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
                    return "more users than the owner may change this file: chmod go-w \(path)"
                }
                return nil
            }
            guard let target = target(ofLink: path) else { return String(cString: strerror(errno)) }
            let isWhole = target.utf8.first == UInt8(ascii: "/")
            path = isWhole ? target : "\(folder)/\(target)"
        }
        return String(cString: strerror(ELOOP))
    }

    /// In a sticky folder others cannot replace the files of trusted users.
    private static func problem(ofFolder path: String) -> String? {
        var about = stat()
        guard stat(path, &about) == 0 else { return String(cString: strerror(errno)) }
        if let problem = problem(ofOwner: about, path) { return problem }
        guard about.st_mode & (S_IWGRP | S_IWOTH) == 0 || about.st_mode & S_ISVTX != 0 else {
            return "more users than the owner may replace files in \(path): chmod go-w \(path)"
        }
        return nil
    }

    private static func problem(ofOwner about: stat, _ path: String) -> String? {
        guard ![0, geteuid()].contains(about.st_uid) else { return nil }
        return "\(path) belongs to user \(about.st_uid): chown it to root, or to the user of the "
            + "daemon"
    }
}
