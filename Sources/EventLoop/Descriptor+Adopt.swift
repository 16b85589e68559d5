import Glibc

extension Descriptor {
    /// Takes over a listening stream socket that the process was started with, and makes it
    /// non-blocking and close-on-exec. An unsuitable descriptor is not changed.
    /// - Parameter isNetwork: it may be a socket of a network, too; else a Unix socket.
    package convenience init(
        listening number: Int32, isNetwork: Bool = false
    ) throws(ListenError) {
        if let reason = Self.whyUnsuitable(number, isNetwork) {
            throw ListenError(path: "descriptor \(number)", reason: reason)
        }
        self.init(socket: number)
    }

    /// The path at which a Unix socket listens.
    package var unixPath: String? { (try? UnixAddress(of: number))?.text }

    private static func whyUnsuitable(_ number: Int32, _ isNetwork: Bool) -> ListenError.Reason? {
        do {
            let domain = try option(SO_DOMAIN, of: number)
            guard domain == AF_UNIX || isNetwork && [AF_INET, AF_INET6].contains(domain) else {
                return .unsuitable("is not a \(isNetwork ? "TCP or " : "")Unix socket")
            }
            if try option(SO_TYPE, of: number) != Int32(SOCK_STREAM.rawValue) {
                return .unsuitable("is not a stream socket")
            }
            if try option(SO_ACCEPTCONN, of: number) == 0 { return .unsuitable("is not listening") }
            if domain == AF_UNIX, try isAbstract(number) {
                return .unsuitable("is an abstract socket: use a path")
            }
            let flags = try check("fcntl") { fcntl(number, F_GETFL) }
            try check("fcntl") { fcntl(number, F_SETFL, flags | O_NONBLOCK) }
            try check("fcntl") { fcntl(number, F_SETFD, FD_CLOEXEC) }
            return nil
        } catch {
            return .system(error)
        }
    }

    /// An abstract socket has no file, so no permissions protect it.
    private static func isAbstract(_ number: Int32) throws(SystemError) -> Bool {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        try check("getsockname") {
            withUnsafeMutableBytes(of: &address) { bytes in
                getsockname(
                    number, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
            }
        }
        return address.sun_path.0 == 0
    }

    private static func option(_ name: Int32, of number: Int32) throws(SystemError) -> Int32 {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        try check("getsockopt") { getsockopt(number, SOL_SOCKET, name, &value, &size) }
        return value
    }
}
