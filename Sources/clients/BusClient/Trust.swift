import BusdEventLoop
import Glibc

/// The users of trusted daemons.
public enum Trust: Sendable {
    /// Every daemon is trusted.
    case anyUser
    /// Root, the client's own user, and the owner of the socket's folder, if only that user can
    /// write to it, as for `/run/busd`. So no password goes to a socket that another user has put
    /// into `/tmp`.
    case daemonOfTrustedUser

    /// Why a daemon is not used; nil if it is trusted.
    func loss(at socket: Descriptor, _ path: String) -> Loss? {
        guard self == .daemonOfTrustedUser else { return nil }
        do throws(SystemError) {
            let peer = try PeerCredentials(of: socket).user
            let isTrusted = peer == 0 || peer == getuid() || Self.isAlone(peer, inFolderOf: path)
            return isTrusted ? nil : .notTrusted(path: path, user: peer)
        } catch {
            return .system(path: path, reason: error.description)
        }
    }

    private static func isAlone(_ user: UInt32, inFolderOf path: String) -> Bool {
        var folder = stat()
        guard stat(parentFolder(of: path), &folder) == 0 else { return false }
        return folder.st_uid == user && folder.st_mode & 0o022 == 0
    }
}
