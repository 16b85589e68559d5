import BusdEventLoop
import BusdFiles
import BusdProtocol
import Glibc

/// Tells whether a daemon serves a socket, without a connection to it: systemd would start a daemon
/// for the connection.
///
/// A daemon is a process with the name of this program. Root sees whether one of its descriptors is
/// the socket. For another user, each daemon that runs counts: only the user's own would answer.
enum SocketServer {
    static func mayServe(_ path: String) -> Bool {
        let name = text(of: "/proc/self/comm")
        let sockets = listeners(at: path)
        return ((try? OpenFolder("/proc").names()) ?? []).contains { entry in
            let number = pid_t(entry)  // fits: else it is nil
            guard let process = number, text(of: "/proc/\(process)/comm").isExactly(name) else {
                return false
            }
            return sockets.isEmpty ? process != getpid() : mayHave(sockets, process)
        }
    }

    /// A process that has ended has no descriptors, until its parent asks for its status.
    private static func mayHave(_ sockets: Set<ExactText>, _ process: pid_t) -> Bool {
        let folder = "/proc/\(process)/fd"
        do {
            return try OpenFolder(folder).names().contains { file in
                target(ofLink: "\(folder)/\(file)").map { sockets.contains(ExactText($0)) } == true
            }
        } catch {
            return error.code != ENOENT
        }
    }

    /// The links of descriptors that listen at the path: `socket:[`, the inode, `]`. None if the
    /// kernel does not know the socket by this path.
    private static func listeners(at path: String) -> Set<ExactText> {
        let real = realPath(path)
        var found: Set<ExactText> = []
        for line in text(of: "/proc/net/unix").utf8.split(separator: .lineFeed) {
            // Num RefCount Protocol Flags Type St Inode Path; the flag is SO_ACCEPTCON.
            let words = line.split(separator: .space, maxSplits: 7)
            guard words.count == 8, words[3].elementsEqual("00010000".utf8) else { continue }
            let place = String(Substring(words[7]))
            guard place.isExactly(path) || real.map(place.isExactly) == true else { continue }
            found.insert(ExactText("socket:[\(Substring(words[6]))]"))
        }
        return found
    }

    private static func text(of path: String) -> String {
        String(decoding: (try? readFile(path)) ?? [], as: UTF8.self)
    }
}
