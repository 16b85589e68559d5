import BusdEventLoop
import BusdProtocol
import BusdStorage

/// Notes the time and the number of the newest entry, while entries are applied or a library
/// measures time (`Thing.measuresTime`). Then the note on the disk is less than a second old. So
/// after a kill, a start knows until when the daemon ran, and whether the log has lost entries.
final class TimeNotes {
    /// Microseconds. The store writes at most two notes per second.
    private static let interval: Int64 = 250_000

    private let loop: Loop
    private let store: Store
    private let libraries: Libraries
    /// The newest entry that the log of the store has. In a house, applied entries are written to
    /// it later.
    private let newestInLog: () -> Int
    private let timer: LoopTimer
    /// The newest entry, and the time of the loop, when the last note was written.
    private var noted: Int
    private var last: Int64

    init(
        _ loop: Loop, _ store: Store, _ libraries: Libraries, newestInLog: @escaping () -> Int
    ) {
        (self.loop, self.store, self.libraries) = (loop, store, libraries)
        self.newestInLog = newestInLog
        (noted, last) = (libraries.applied, loop.now())
        timer = LoopTimer(loop: loop) {}
    }

    /// Called once per turn.
    func attend() {
        guard isWanted else { return }
        let now = loop.now()
        if now - last >= Self.interval { note() }
        guard isWanted, !timer.isArmed else { return }
        timer.arm(afterMicroseconds: last + Self.interval - now)
    }

    private var isWanted: Bool { libraries.applied != noted || libraries.measuresTime }

    func note() {
        (noted, last) = (libraries.applied, loop.now())
        store.note(time: libraries.now, number: newestInLog())
    }
}
