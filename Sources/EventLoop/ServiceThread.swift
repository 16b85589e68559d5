import CBusdSystem
import Glibc

/// A thread on which a service does what would hold the loop up. It runs one function, and takes
/// no signals: those are the loop's.
package struct ServiceThread {
    /// The kernel gives no thread; `code` is as in `errno`.
    package struct NotMade: Error {
        package let code: Int32
    }

    private let id: pthread_t

    package init(_ body: @escaping @Sendable () -> Void) throws(NotMade) {
        let context = UnsafeMutablePointer<@Sendable () -> Void>.allocate(capacity: 1)
        context.initialize(to: body)
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        var id = pthread_t()
        let code = pthread_create(&id, nil, { Self.run($0) }, context)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        guard code == 0 else {
            context.deinitialize(count: 1)
            context.deallocate()
            throw NotMade(code: code)
        }
        self.id = id
    }

    /// Waits until the function has returned. To be called once.
    package func join() { pthread_join(id, nil) }

    private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        let body = context.assumingMemoryBound(to: (@Sendable () -> Void).self)
        let run = body.move()
        body.deallocate()
        run()
        return nil
    }
}
