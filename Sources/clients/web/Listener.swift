import BusdEventLoop
import BusdHTTP
import BusdOptions
import BusdProtocol
import Glibc

/// The socket at which browsers are served: one that systemd has opened, or one of its own. The
/// file of an own Unix socket is removed with it.
final class Listener {
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let socket: Descriptor
    /// With the real port.
    let place: ListenPlace
    private let file: SocketFile?

    /// - Parameter passed: the sockets of systemd.
    init(_ settings: Settings, _ passed: [Systemd.Passed]) throws {
        guard passed.count <= 1 else {
            throw Failure(
                description: "systemd passed \(passed.count) sockets: leave one ListenStream= in "
                    + "busd-web.socket")
        }
        let held = try passed.first.map(Self.adopt)
        if let held, settings.listen == nil || settings.listen == held.place {
            (socket, place, file) = (held.socket, held.place, nil)
        } else {
            let place = settings.listen ?? .network(.usual)
            (socket, self.place, file) = try Self.listen(at: place, besides: held?.place)
            if let held { Log.write("nothing is served at \(held.place): \(Self.advice)") }
        }
        try settings.check(self.place)
    }

    private static let advice =
        "set the place in ListenStream= of busd-web.socket, and leave out --listen"

    private static func adopt(
        _ passed: Systemd.Passed
    ) throws(ListenError) -> (socket: Descriptor, place: ListenPlace) {
        let socket = try Descriptor(listening: passed.descriptor, isNetwork: true)
        if let address = ListenAddress(of: socket) { return (socket, .network(address)) }
        return (socket, .unix(path: socket.unixPath ?? "descriptor \(passed.descriptor)"))
    }

    /// - Parameter held: the place of a socket that systemd holds.
    private static func listen(
        at place: ListenPlace, besides held: ListenPlace?
    ) throws -> (Descriptor, ListenPlace, SocketFile?) {
        switch place {
        case .unix(let path):
            // Everybody may connect, as to a port of 127.0.0.1.
            let file = try SocketFile(path: path, mode: 0o666)
            return (file.socket, place, file)
        case .network(let address):
            do throws(SystemError) {
                let (socket, address) = try address.listen()
                return (socket, .network(address), nil)
            } catch {
                let advice =
                    switch error.code {
                    case EADDRINUSE where held != nil: ": \(Self.advice)"
                    case EADDRINUSE: ": choose another port with --listen; 0 is any free one"
                    case EACCES: ": ports below 1024 are for root"
                    default: ""
                    }
                throw Failure(description: "\(address): \(error)\(advice)")
            }
        }
    }
}
