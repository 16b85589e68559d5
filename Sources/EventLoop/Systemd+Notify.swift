import Glibc

extension Systemd {
    /// Sends `state` to systemd: assignments such as `READY=1`, one per line. It never waits.
    /// - Throws: if systemd expects notifications, and cannot be reached.
    package func notify(_ state: String) throws(SystemError) {
        guard let notifySocket else { return }
        let address = try Self.address(of: notifySocket)
        let socket = try unixSocket(SOCK_DGRAM)
        let text = Array(state.utf8)
        try check("sendto") {
            address.withPointer {
                sendto(socket.number, text, text.count, Int32(MSG_NOSIGNAL), $0, $1)
            }
        }
    }

    private static func address(of name: String) throws(SystemError) -> UnixAddress {
        switch name.first {
        case "/": try UnixAddress(path: name)
        case "@": try UnixAddress(abstract: String(name.dropFirst()))
        default: throw SystemError(code: EAFNOSUPPORT, function: "NOTIFY_SOCKET")
        }
    }
}
