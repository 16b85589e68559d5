import CBusdSystem
import Glibc

/// A thread for work that would block the loop. It runs one function. It blocks all signals,
/// because the loop handles them.
package struct ServiceThread {
    /// The kernel gave no thread; `code` is a value of `errno`.
    package struct CreationFailed: Error {
        package let code: Int32
    }

    private let id: pthread_t

    package init(_ body: @escaping @Sendable () -> Void) throws(CreationFailed) {
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
            throw CreationFailed(code: code)
        }
        self.id = id
    }

    /// Waits until the function has returned. Call it once.
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
