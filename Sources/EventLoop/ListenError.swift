/// Why nobody listens: the path (or `descriptor 3`) and the reason.
package struct ListenError: Error, Equatable, CustomStringConvertible {
    package enum Reason: Equatable {
        /// A socket's path has at most `limit` bytes.
        case pathTooLong(limit: Int)
        /// It is empty, or has a NUL in it.
        case unusablePath
        /// The file is a socket, and somebody listens to it.
        case live
        /// The lock file beside it is held by a daemon that runs or starts.
        case locked
        /// The file is no socket, and therefore not ours to replace: `a link`, `a folder`, …
        case occupied(by: String)
        /// The file is a socket that somebody holds, and no listening stream socket.
        case foreign
        /// A descriptor that was passed on and is no listening Unix stream socket.
        case unsuitable(String)
        case system(SystemError)
    }

    package let path: String
    package let reason: Reason

    package var description: String { "\(path.isEmpty ? "''" : path): \(text)" }

    private var text: String {
        switch reason {
        case .pathTooLong(let limit): "the path of a socket has at most \(limit) bytes"
        case .unusablePath: "is no path for a socket"
        case .live: "another daemon listens there"
        case .locked: "another daemon holds its lock file"
        case .occupied(let thing): "is \(thing), not a socket, and is left alone"
        case .foreign: "is a socket in use, but no listening stream socket, and is left alone"
        case .unsuitable(let what): what
        case .system(let error): error.description
        }
    }
}
