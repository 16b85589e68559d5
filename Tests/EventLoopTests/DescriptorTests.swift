import CBusdSystem
import Glibc
import TestSupport
import Testing

@testable import BusdEventLoop

@Suite struct DescriptorTests {
    let near: Descriptor
    private let peer: Peer

    private final class Peer { var end: Descriptor? }

    init() throws {
        peer = Peer()
        (near, peer.end) = try socketPair()
    }

    @Test func `Bytes that one end writes are read at the other`() {
        #expect(peer.end?.write("abc") == .bytes(3))
        #expect(near.readOnce() == (.bytes(3), "abc"))
        #expect(near.readOnce().0 == .wouldBlock)
    }

    @Test func `Reading or writing no bytes is not the end`() {
        peer.end = nil

        #expect(near.read(into: UnsafeMutableRawBufferPointer(start: nil, count: 0)) == .bytes(0))
        #expect(near.write("") == .bytes(0))
    }

    @Test func `A full buffer would block, until the peer has read`() {
        #expect(near.fill() > 0)
        #expect(near.write("a") == .wouldBlock)

        while peer.end?.readOnce().0 != .wouldBlock {}

        #expect(near.write("a") == .bytes(1))
    }

    @Test func `A limit of unread bytes lowers the limit of the socket and never raises it`() {
        var bytes: Int32 = 8192
        setsockopt(near.number, SOL_SOCKET, SO_SNDBUF, &bytes, 4)

        near.limitUnread(100_000)
        #expect(unreadLimit == 16_384)

        near.limitUnread(10_000)
        #expect(unreadLimit == 10_000)
    }

    private var unreadLimit: Int32 {
        var (bytes, size): (Int32, socklen_t) = (0, 4)
        getsockopt(near.number, SOL_SOCKET, SO_SNDBUF, &bytes, &size)
        return bytes
    }

    @Test func `A half-closed peer still reads`() {
        peer.end?.shutDownOutput()

        #expect(near.readOnce().0 == .ended)
        #expect(!near.isHungUp)
        #expect(near.write("abc") == .bytes(3))
        #expect(peer.end?.readOnce().1 == "abc")
    }

    @Test func `A closed peer ends reading and writing`() throws {
        #expect(!near.isHungUp)
        peer.end = nil

        try eventuallyHungUp(near)
        #expect(near.readOnce().0 == .ended)
        #expect(near.write("abc") == .ended)
    }

    @Test func `A peer that dies with unread input resets the connection`() throws {
        _ = near.write("never read")
        peer.end = nil

        try eventuallyHungUp(near)
        let reset = SystemError(code: ECONNRESET, function: "read")
        #expect(near.readOnce().0 == .failed(reset))
        #expect(near.readOnce().0 == .ended)
        #expect(near.write("abc") == .ended)
    }

    @Test func `Writing to a closed peer raises no signal`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            unblock(SIGPIPE)
            let near = try socketPair().near
            try eventuallyHungUp(near)

            #expect(near.write("a") == .ended)
        }
    }

    @Test func `Other failures of reading and writing keep their errno`() throws {
        let folder = Descriptor(file: open("/", O_RDONLY | O_CLOEXEC))

        #expect(folder.readOnce().0 == .failed(SystemError(code: EISDIR, function: "read")))
        #expect(folder.write("a") == .failed(SystemError(code: EBADF, function: "write")))
    }

    @Test func `A call that a signal interrupts is made again`() throws {
        var calls = 0
        let value = try check("read") { () -> Int in
            calls += 1
            errno = EINTR
            return calls == 3 ? 7 : -1
        }

        #expect(value == 7)
        #expect(calls == 3)
    }

    @Test func `A dropped descriptor is closed`() throws {
        var (closing, far): (Descriptor?, Descriptor) = try socketPair()
        #expect(fcntl(closing?.number ?? -1, F_GETFD) == FD_CLOEXEC)

        closing = nil

        try eventuallyHungUp(far)
    }

    @Test func `Descriptors that a peer passes with its bytes are closed by the kernel`() throws {
        let far = try #require(peer.end)
        var (passed, other): (Descriptor?, Descriptor) = try socketPair()
        #expect(pass(descriptor: passed?.number ?? -1, through: far, with: "abc") == 3)
        passed = nil
        #expect(!other.isHungUp)

        #expect(near.readOnce().1 == "abc")

        try eventuallyHungUp(other)
    }

    @Test func `A wait ends with input, at the end of input, or at its timeout`() {
        #expect(!Wait.forReadable(near.number, milliseconds: 0))
        #expect(!Wait.forReadable(near.number, milliseconds: 5))

        _ = peer.end?.write("a")
        #expect(Wait.forReadable(near.number, milliseconds: -1))

        _ = near.readOnce()
        peer.end = nil
        #expect(Wait.forReadable(near.number, milliseconds: -1))
    }

    @Test func `An error names the C function and the reason`() {
        let error = SystemError(code: ECONNREFUSED, function: "connect")

        #expect("\(error)" == "connect: Connection refused")
        #expect(error.reason == "Connection refused")
    }
}

/// Sends a text and one descriptor with sendmsg(2).
private func pass(descriptor: Int32, through socket: Descriptor, with text: String) -> Int {
    var bytes = Array(text.utf8)
    var control = [UInt8](repeating: 0, count: 24)
    return bytes.withUnsafeMutableBytes { bytes in
        control.withUnsafeMutableBytes { control in
            var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
            control.storeBytes(of: 20, as: Int.self)
            control.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
            control.storeBytes(of: Int32(SCM_RIGHTS), toByteOffset: 12, as: Int32.self)
            control.storeBytes(of: descriptor, toByteOffset: 16, as: Int32.self)
            return withUnsafeMutablePointer(to: &vector) { vector in
                var message = msghdr()
                message.msg_iov = vector
                message.msg_iovlen = 1
                message.msg_control = control.baseAddress
                message.msg_controllen = control.count
                return sendmsg(socket.number, &message, 0)
            }
        }
    }
}
