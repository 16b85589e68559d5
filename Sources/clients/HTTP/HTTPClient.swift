import CBusdMicrohttpd
import Glibc

/// What a share of the places is counted by: an IPv4 address, the first half of an IPv6 address,
/// or all clients of a Unix socket together.
///
/// A client with an IPv6 address usually has all addresses with the same first half.
struct HTTPClient: Hashable {
    private let high: UInt64
    private let low: UInt64

    private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    private init(four: UInt32) {
        self.init(high: 0, low: 0xFFFF << 32 | UInt64(four))  // fits: 48 bits
    }

    private init(six: in6_addr) {
        let (high, low) = withUnsafeBytes(of: six) {
            (
                $0.loadUnaligned(as: UInt64.self).bigEndian,
                $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self).bigEndian
            )
        }
        // ::1, and an IPv4 address at a socket of both families, have no network.
        self.init(high: high, low: high == 0 ? low : 0)
    }

    /// The address of a connection.
    init(peer: UnsafePointer<sockaddr>?) {
        switch peer.map({ Int32($0.pointee.sa_family) }) {  // fits: 16 bits do
        case AF_INET:
            let four = peer?.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
            }
            self.init(four: four ?? 0)
        case AF_INET6:
            let six = peer?.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                $0.pointee.sin6_addr
            }
            self.init(six: six ?? in6_addr())
        default: self.init(high: 0, low: 0)
        }
    }

    /// The address that `accept` gave.
    init(peer: sockaddr_storage) {
        self = withUnsafePointer(to: peer) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Self(peer: $0) }
        }
    }

    /// The client that a proxy names in `X-Forwarded-For`: the last address, which it has added
    /// itself. Nil if this is none.
    init?(forwarded list: String) {
        guard let last = list.utf8.split(separator: UInt8(ascii: ",")).last else { return nil }
        let text = String(Substring(last.drop { $0 == UInt8(ascii: " ") }))
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(four: UInt32(bigEndian: four.s_addr))
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self.init(six: six)
        } else {
            return nil
        }
    }

    /// It is a program of this machine: at a Unix socket, in 127.0.0.0/8, or at ::1. Such a client
    /// may be a proxy, which is believed.
    var isLocal: Bool { high == 0 && (low <= 1 || low >> 24 == 0xFFFF_7F) }
}
