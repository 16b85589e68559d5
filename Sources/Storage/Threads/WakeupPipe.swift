import Glibc

/// A pipe through which one thread wakes another. Swift has no condition variable that threads can
/// share without turning off checks of the compiler.
final class WakeupPipe: Sendable {
    private let reading: Int32
    private let writing: Int32

    init() throws(StoreError) {
        var ends: [Int32] = [-1, -1]
        try systemCall("pipe", "a pipe") { pipe(&ends) }
        (reading, writing) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            // A write to a full pipe may fail: the other thread has bytes to read, and wakes.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(reading)
        close(writing)
    }

    func wake() {
        var byte: UInt8 = 1
        while write(writing, &byte, 1) < 0, errno == EINTR {}
    }

    /// Returns true after `wake`, and false after this many milliseconds; -1 waits forever.
    @discardableResult
    func wait(milliseconds: Int32 = -1) -> Bool {
        var entry = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        var count = poll(&entry, 1, milliseconds)
        while count < 0, errno == EINTR { count = poll(&entry, 1, milliseconds) }
        guard count > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reading, &bytes, bytes.count) > 0 {}
        return true
    }
}
