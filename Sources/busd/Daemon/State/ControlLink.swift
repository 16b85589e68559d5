import BusdEventLoop
import BusdFiles
import BusdProtocol
import Glibc

/// A symbolic link in the folder of a store, to the control socket of the daemon that serves the
/// store. `busd backup` and `busd user` follow it. `deinit` removes it.
final class ControlLink {
    private let path: String
    private let target: String

    static func path(in folder: String) -> String { "\(folder)/control.sock" }

    /// The target of the link; `nil` if there is no link.
    static func target(in folder: String) -> String? {
        BusdFiles.target(ofLink: path(in: folder))
    }

    init(in folder: String, to socket: String) throws(SystemError) {
        path = Self.path(in: folder)
        target = Self.absolute(socket)
        let new = path + ".new"
        unlink(new)
        try check("symlink") { [target] in symlink(target, new) }
        try check("rename") { [path] in rename(new, path) }
    }

    deinit {
        let isOurs = Self.target(in: parentFolder(of: path)).map {
            $0.isExactly(target)
        }
        if isOurs == true { unlink(path) }
    }

    private static func absolute(_ socket: String) -> String {
        guard socket.utf8.first != UInt8(ascii: "/"), let folder = realPath(".") else {
            return socket
        }
        return "\(folder)/\(socket)"
    }
}
