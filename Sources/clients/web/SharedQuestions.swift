/// Asks a question once for all who ask it at about the same time.
///
/// A question that is asked while an equal one is under way waits for the next one: the answer
/// under way may be older than the question. So however many browsers load a page, two questions
/// are enough.
package final class SharedQuestions<Key: Hashable, Answer> {
    package typealias Done = (Answer) -> Void

    private let ask: (Key, @escaping Done) -> Void
    /// Those that wait for the next question, for each key that is asked.
    private var waiting: [Key: [Done]] = [:]

    /// - Parameter ask: asks a question, and answers it once, before it returns or later.
    package init(_ ask: @escaping (Key, @escaping Done) -> Void) { self.ask = ask }

    package func ask(_ key: Key, _ done: @escaping Done) {
        if waiting[key] == nil { start(key, [done]) } else { waiting[key]?.append(done) }
    }

    private func start(_ key: Key, _ asked: [Done]) {
        waiting[key] = []
        ask(key) { [self] answer in
            let next = waiting.removeValue(forKey: key) ?? []
            if !next.isEmpty { start(key, next) }
            for done in asked { done(answer) }
        }
    }
}
