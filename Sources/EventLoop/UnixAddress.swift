import Glibc

/// The address of a Unix socket in the form the kernel takes.
struct UnixAddress {
    /// The longest path in bytes: `sun_path` holds one more, for the NUL.
    static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    private var address = sockaddr_un()
    private var length: socklen_t

    /// - Throws: `ENAMETOOLONG`, and `EINVAL` for a path that is empty or has a NUL in it.
    init(path: String) throws(SystemError) {
        let bytes = Array(path.utf8)
        if bytes.isEmpty || bytes.contains(0) {
            throw SystemError(code: EINVAL, function: "sockaddr_un")
        }
        try self.init(bytes: bytes, terminator: 1)
    }

    /// The name of an abstract socket, without its leading NUL.
    init(abstract name: String) throws(SystemError) {
        try self.init(bytes: [0] + Array(name.utf8), terminator: 0)
    }

    private init(bytes: [UInt8], terminator: Int) throws(SystemError) {
        if bytes.count > Self.longestPath {
            throw SystemError(code: ENAMETOOLONG, function: "sockaddr_un")
        }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let offset = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 0
        length = socklen_t(offset + bytes.count + terminator)  // fits: it is 110 at most
    }

    /// The address to which a socket is bound.
    init(of socket: Int32) throws(SystemError) {
        length = socklen_t(MemoryLayout<sockaddr_un>.size)
        try check("getsockname") {
            withUnsafeMutablePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getsockname(socket, $0, &length)
                }
            }
        }
    }

    /// The path, or `@` and the name of an abstract socket.
    var text: String {
        let offset = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 0
        let bytes = withUnsafeBytes(of: address.sun_path) { path in
            Array(path.prefix(max(0, Int(length) - offset)))  // fits: 32 bits do
        }
        let isAbstract = bytes.first == 0
        let name = isAbstract ? bytes.dropFirst() : bytes.prefix { $0 != 0 }
        return (isAbstract ? "@" : "") + String(decoding: name, as: UTF8.self)
    }

    func withPointer<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}

/// A new Unix socket, non-blocking and close-on-exec.
func unixSocket(_ type: __socket_type) throws(SystemError) -> Descriptor {
    let flags = type.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let type = Int32(flags)  // fits: the flags are few bits
    return Descriptor(socket: try check("socket") { socket(AF_UNIX, type, 0) })
}
