import BusdViewModels
import Synchronization

/// Starts a writer on a thread of its own, and waits until it has read the store.
struct Start {
    let mailbox: Mailbox
    let thread: ServiceThread
    let lock: FolderLock
    let loaded: Loaded

    private final class Answer: Sendable {
        let loaded = Mutex<Result<Loaded, StoreError>?>(nil)
    }

    init(_ opening: Opening, wake: @escaping @Sendable () -> Void) throws(StoreError) {
        try opening.folder.make()
        lock = try FolderLock(opening.folder)
        let mailbox = try Mailbox()
        let (answer, bell) = (Answer(), try Bell())
        do {
            thread = try ServiceThread {
                let writer = Writer(opening, mailbox: mailbox, wake: wake)
                let loaded = Result { () throws(StoreError) in try writer.open() }
                answer.loaded.withLock { $0 = loaded }
                bell.ring()
                if case .success = loaded { writer.run() }
            }
        } catch {
            throw .file(
                path: "the writer's thread", function: "pthread_create", code: error.code)
        }
        bell.wait()
        self.mailbox = mailbox
        switch answer.loaded.withLock({ $0.take() }) {
        case .success(let loaded): self.loaded = loaded
        case .failure(let error):
            thread.join()
            throw error
        case nil:
            preconditionFailure(  // holds: it rings behind its answer
                "the writer has rung before it had an answer")
        }
    }
}
