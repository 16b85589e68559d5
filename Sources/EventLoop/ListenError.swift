/// A failure to listen: the path (or `descriptor 3`) and the reason.
package struct ListenError: Error, Equatable, CustomStringConvertible {
    package enum Reason: Equatable {
        /// A socket's path has at most `limit` bytes.
        case pathTooLong(limit: Int)
        /// The path is empty, or has a NUL in it.
        case unusablePath
        /// The file is a socket on which a process listens.
        case live
        /// The lock file beside the path is held by a daemon that runs or starts.
        case locked
        /// The file is not a socket, so it is not replaced: `a link`, `a folder`, …
        case occupied(by: String)
        /// The file is a socket that a process holds, but not a listening stream socket.
        case foreign
        /// The descriptor or the folder is unsuitable, for this reason.
        case unsuitable(String)
        case system(SystemError)
    }

    package let path: String
    package let reason: Reason

    package var description: String { "\(path.isEmpty ? "''" : path): \(text)" }

    private var text: String {
        switch reason {
        case .pathTooLong(let limit): "the path of a socket must have at most \(limit) bytes"
        case .unusablePath: "is not a valid socket path"
        case .live: "another daemon listens there"
        case .locked: "another daemon holds its lock file"
        case .occupied(let thing): "is \(thing), not a socket: move it, or choose another path"
        case .foreign: "is a socket of another program: choose another path"
        case .unsuitable(let what): what
        case .system(let error): error.description
        }
    }
}
