import BusdEventLoop
import Glibc
import Synchronization
import Testing

@Suite struct ServiceThreadTests {
    @Test func `A service thread blocks signals, and not those of its creator`() throws {
        let blocked = Mutex<Bool?>(nil)
        let holder = Holder(blocked)
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &before)
        let thread = try ServiceThread { holder.note() }
        thread.join()
        var after = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &after)
        #expect(holder.blocksTermination == true)
        #expect(sigismember(&before, SIGTERM) == sigismember(&after, SIGTERM))
    }

    private final class Holder: Sendable {
        private let blocked: Mutex<Bool?>

        init(_ blocked: consuming Mutex<Bool?>) { self.blocked = blocked }

        var blocksTermination: Bool? { blocked.withLock { $0 } }

        func note() {
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            let isBlocked = sigismember(&mask, SIGTERM) == 1
            blocked.withLock { $0 = isBlocked }
        }
    }
}
