/// A key that corrects what the screen shows.
enum Correction: Equatable {
    case undo
    case redo
    /// By so many seconds.
    case moveClock(Int)
    /// Sets the clock to this time, and starts it.
    case startClock(String)
}

/// Corrections that wait. A correction names what the screen shows. So its key waits until earlier
/// keys are answered and the screen shows their result.
struct Corrections {
    private var waiting: [Correction] = []

    var isEmpty: Bool { waiting.isEmpty }

    mutating func add(_ correction: Correction) { waiting.append(correction) }

    mutating func next() -> Correction? { waiting.isEmpty ? nil : waiting.removeFirst() }

    /// After a refusal or a loss, the screen shows something else than the scorer saw.
    mutating func forget() { waiting = [] }
}
