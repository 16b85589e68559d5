import BusdEventLoop
import Glibc

/// The permissions of a socket that refuses this user.
struct SocketPermission {
    private let path: String
    private let about: stat
    /// The socket can be seen. Else `about` describes the folder that this user may not enter.
    private let isVisible: Bool

    /// Nil if there is neither the socket nor a closed folder.
    init?(of path: String) {
        self.path = path
        var (part, about) = (path, stat())
        while stat(part, &about) != 0 {
            guard errno == EACCES, part != ".", part != "/" else { return nil }
            part = parentFolder(of: part)
        }
        self.about = about
        isVisible = part == path
    }

    /// One line for the user.
    var advice: String {
        guard isVisible else { return "only \(owner) may enter its folder" }
        let ways = [group.map(Self.howToJoin) ?? "only \(owner) may", howToLook]
        return ways.compactMap { $0 }.joined(separator: "; ")
    }

    private var owner: String {
        about.st_uid == 0 ? "root" : "user \(Self.userName(about.st_uid)) and root"
    }

    /// The group that may connect. Nil if none may, and for a group that gives more rights than
    /// this: the group of root, and the owner's own group.
    private var group: gid_t? {
        let group = about.st_gid
        guard about.st_mode & S_IWGRP != 0, group != 0,
            getpwuid(about.st_uid)?.pointee.pw_gid != group
        else { return nil }
        return group
    }

    private static func howToJoin(_ group: gid_t) -> String {
        let name = getgrgid(group)?.pointee.gr_name.map { String(cString: $0) } ?? "\(group)"
        let user = userName(geteuid())
        return "only group \(name) may: run 'usermod --append --groups \(name) \(user)' as root, "
            + "then log in again"
    }

    private static func userName(_ user: uid_t) -> String {
        getpwuid(user)?.pointee.pw_name.map { String(cString: $0) } ?? "\(user)"
    }

    /// All users may connect to the view socket of the machine's daemon.
    private var howToLook: String? {
        let viewSocket = "\(parentFolder(of: path))/view.sock"
        guard !viewSocket.utf8.elementsEqual(path.utf8),
            faccessat(AT_FDCWD, viewSocket, W_OK, AT_EACCESS) == 0
        else { return nil }
        return "to look only, use --socket \(viewSocket)"
    }
}
