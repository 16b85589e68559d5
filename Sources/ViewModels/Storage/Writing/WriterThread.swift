import Glibc

/// A thread that runs one function. It takes no signals: those are the loop's.
struct WriterThread {
    private let id: pthread_t

    init(_ body: @escaping @Sendable () -> Void) throws(StoreError) {
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
            throw .file(path: "the writer's thread", function: "pthread_create", code: code)
        }
        self.id = id
    }

    func join() { pthread_join(id, nil) }

    private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        let body = context.assumingMemoryBound(to: (@Sendable () -> Void).self)
        let run = body.move()
        body.deallocate()
        run()
        return nil
    }
}
