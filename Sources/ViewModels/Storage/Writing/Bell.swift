import Glibc

/// What one thread rings and another waits for: a pipe, as Swift has no condition variable that can
/// be shared without talking the compiler out of its checks.
final class Bell: Sendable {
    private let reading: Int32
    private let writing: Int32

    init() throws(StoreError) {
        var ends: [Int32] = [-1, -1]
        try systemCall("pipe", "a pipe") { pipe(&ends) }
        (reading, writing) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            // Rings that nobody has heard yet are as good as one.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(reading)
        close(writing)
    }

    func ring() {
        var byte: UInt8 = 1
        while write(writing, &byte, 1) < 0, errno == EINTR {}
    }

    /// Returns when it has been rung since the last time, or after so many milliseconds; -1 waits
    /// for ever.
    @discardableResult
    func wait(milliseconds: Int32 = -1) -> Bool {
        var entry = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        var found = poll(&entry, 1, milliseconds)
        while found < 0, errno == EINTR { found = poll(&entry, 1, milliseconds) }
        guard found > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reading, &bytes, bytes.count) > 0 {}
        return true
    }
}
