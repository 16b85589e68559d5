package import BusdProtocol
import BusdTestKit
import Testing

/// Libraries, and the log and the states that they write.
package struct StoredThings {
    private let log = TestLog()
    package let time: Timeline
    package let libraries: Libraries

    package init(now: Instant) {
        log.isFast = true
        time = Timeline(now: now)
        libraries = Libraries(log: log, clock: time)
    }

    /// The library that a new process restores from the states, or from the log if there are none.
    package func replayed<T>(_ states: [SavedState] = []) -> Library<T> {
        var content = LogContent()
        content.states = states
        content.entries = states.isEmpty ? log.entries : []
        content.lastNumber = log.entries.count
        let libraries = Libraries(log: TestLog(), clock: time, content: content)
        let library = Library<T>(libraries)
        #expect(libraries.open() == [])
        return library
    }

    package func states() throws -> [SavedState] {
        try libraries.takeUnsavedStates().compactMap { encode in
            if case .save(let state, _) = try encode() { state } else { nil }
        }
    }

    package func bodies() -> [String] {
        log.entries.map { String(decoding: $0.body, as: UTF8.self) }
    }
}
