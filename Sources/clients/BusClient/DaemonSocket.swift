package import BusdEventLoop
package import BusdProtocol
import Glibc

/// Connects to a daemon of this machine, as `BusConnection` does, for a program that only passes
/// bytes on.
/// - Parameter path: the socket that the user named; nil: search for one.
package func connectToDaemon(
    _ daemon: DaemonName, path: String?, trust: Trust
) throws(Loss) -> Descriptor {
    let search = SocketSearch(SocketChoice.paths(given: path, of: daemon)) { connectUnix(path: $0) }
    // The backlog can be full while the daemon starts or is busy: wait at most 5 s.
    for _ in 0..<50 {
        let (path, outcome) = search.connect()
        switch outcome {
        case .connected(let socket):
            if let loss = trust.loss(at: socket, path) { throw loss }
            return socket
        case .failed(let error): throw Loss(connecting: path, error)
        case .backlogFull: poll(nil, 0, 100)
        }
    }
    throw .busy(path: search.path)
}
