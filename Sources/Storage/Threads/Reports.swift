import Synchronization

/// Reports of threads, for the log file. A lasting failure is reported when it begins and when it
/// ends.
final class Reports: Sendable {
    enum Topic: String {
        case log = "sends are refused"
        case states = "states cannot be saved"
        case ids = "ids cannot be reserved, and may be reused if the store is lost"
        case copies = "a verified copy cannot be made"
    }

    private struct Content {
        var texts: [String] = []
        var failing: Set<Topic> = []
    }

    private let content = Mutex(Content())

    func add(_ text: String) { content.withLock { $0.texts.append(text) } }

    func noteRemoved(walOf database: String) {
        add(
            "\(StoreFolder.wal(of: database)) was removed or replaced while the daemon runs; its "
                + "content is saved in \(database)")
    }

    /// At the end, a database could not be completed. Its write-ahead log stays, if it is there. A
    /// failure that lasts was reported when it began.
    ///
    /// - Parameter topic: of the database.
    func noteStop(_ topic: Topic, _ problem: StoreError) {
        content.withLock { content in
            if !content.failing.contains(topic) { content.texts.append("at the stop: \(problem)") }
        }
    }

    /// - Parameter problem: `nil` after a success.
    func note(_ topic: Topic, _ problem: StoreError?) {
        content.withLock { content in
            if let problem, content.failing.insert(topic).inserted {
                content.texts.append("\(topic.rawValue): \(problem)")
            } else if problem == nil, content.failing.remove(topic) != nil {
                content.texts.append("resolved: \(topic.rawValue)")
            }
        }
    }

    func take() -> [String] {
        content.withLock { content in
            defer { content.texts = [] }
            return content.texts
        }
    }
}
