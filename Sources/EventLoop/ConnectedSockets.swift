import Glibc

/// Two Unix sockets that are connected with each other, both close-on-exec. The near one does not
/// block; the far one does, as a program expects of its standard input and output.
package func connectedSockets() throws(SystemError) -> (near: Descriptor, far: Descriptor) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)  // fits: the flags are few bits
    try check("socketpair") { socketpair(AF_UNIX, kind, 0, &ends) }
    let (near, far) = (Descriptor(socket: ends[0]), Descriptor(socket: ends[1]))
    try check("fcntl") { fcntl(near.number, F_SETFL, O_NONBLOCK) }
    return (near, far)
}
