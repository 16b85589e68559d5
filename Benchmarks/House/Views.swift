import CEpoll
import Glibc
import Measures
import Writers

/// Clients that watch one address, and count the lines that they receive.
final class Views {
    private var clients: [Client] = []
    private let queue = epoll_create1(Int32(EPOLL_CLOEXEC))

    deinit { close(queue) }

    init(_ count: Int, of address: String, at socket: String) {
        for index in 0..<count {
            guard let client = Client(socket) else { stop("cannot connect view \(index)") }
            client.send("subscribe \(address)")
            // Until the view is live.
            while true {
                let lines = String(decoding: client.readOnce(), as: UTF8.self)
                if lines.contains(#"{"live""#) { break }
                if lines.isEmpty || lines.contains(#"{"error""#) { stop("view \(index): \(lines)") }
            }
            var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(u64: UInt64(index)))
            epoll_ctl(queue, EPOLL_CTL_ADD, client.descriptor, &event)
            clients.append(client)
        }
    }

    /// Returns when all clients together have received `count` lines.
    func await(_ count: Int) {
        var (received, ready) = (0, [epoll_event](repeating: epoll_event(), count: 256))
        while received < count {
            let found = Int(epoll_wait(queue, &ready, 256, 10_000))
            if found <= 0 { stop("only \(received) of \(count) lines arrived within 10 s") }
            for event in ready.prefix(found) {
                let bytes = clients[Int(event.data.u64)].readOnce()
                if bytes.isEmpty { stop("busd has closed the connection") }
                received += bytes.count { $0 == UInt8(ascii: "\n") }
            }
        }
    }
}
