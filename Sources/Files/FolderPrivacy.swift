package import BusdEventLoop
package import Glibc

/// Why a folder is not private. A private folder belongs to the effective user, and no other user
/// may enter it. So no other user can replace a file in it between a check and its use.
package enum FolderFault: Error, Equatable {
    case notFolder
    case belongs(to: uid_t)
    case open(mode_t)

    /// - Parameter about: of the folder, not of a link to it.
    package static func check(_ about: stat) throws(FolderFault) {
        guard about.st_mode & S_IFMT == S_IFDIR else { throw .notFolder }
        guard about.st_uid == geteuid() else { throw .belongs(to: about.st_uid) }
        guard about.st_mode & 0o077 == 0 else { throw .open(about.st_mode & 0o777) }
    }

    /// Without the path.
    ///
    /// - Parameter program: `busd`.
    package func reason(of path: String, _ program: String) -> String {
        switch self {
        case .notFolder: "is not a folder: name a folder with --state"
        case .belongs(let user):
            "belongs to user \(user), and \(program) runs as user \(geteuid()): run \(program) as "
                + "user \(user), or name another folder with --state"
        case .open(let mode):
            "is open to other users (mode \(String(mode, radix: 8))): if it is only for "
                + "\(program), run chmod 700 \(path)"
        }
    }
}

/// Makes a private folder if its name is free, with the folders above it; else changes nothing.
///
/// The mode of each new folder is 0700 whatever the umask is, and its name is on the disk, if this
/// user may read the folder above it.
package func makePrivateFolder(_ path: String) throws(SystemError) {
    for slash in path.utf8.indices.dropFirst() where path.utf8[slash] == UInt8(ascii: "/") {
        // If a folder cannot be made here, making the next one fails.
        try? makeFolder(String(path[..<slash]))
    }
    try makeFolder(path)
}

private func makeFolder(_ path: String) throws(SystemError) {
    do {
        try check("mkdir") { mkdir(path, 0o700) }
        // The umask may have cleared bits of the owner, too.
        var about = stat()
        if lstat(path, &about) != 0 || about.st_mode & 0o777 != 0o700 {
            try check("chmod") { chmod(path, 0o700) }
        }
    } catch {
        if error.code == EEXIST { return }
        throw error
    }
    try? OpenFolder(parentFolder(of: path)).descriptor.sync()
}
