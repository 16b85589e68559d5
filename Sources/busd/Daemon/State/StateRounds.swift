import BusdEventLoop
import BusdProtocol
import BusdStorage

/// Saves the states of things, so that a start has few entries of the log to apply: once a minute,
/// after ten thousand entries, when the log is to be cut, and at the end.
///
/// A round saves all states that have changed, as they are when the round begins. Each turn of the
/// loop encodes a portion. The store commits the round in one transaction; if the commit fails, the
/// next round saves the same states again.
final class StateRounds {
    private struct Round {
        var rest: ArraySlice<() throws -> StateChange>
        let covered: Int
        let time: Instant
        var isIncomplete = false
    }

    private static let interval: Int64 = 60_000_000
    private static let mostEntries = 10_000
    /// Bytes of a portion, which takes about 2 ms.
    private static let portion = 256 << 10
    /// Microseconds that `saveAll` waits for a round that is being written.
    private static let longestWait: Int64 = 10_000_000

    private let loop: Loop
    private let store: Store
    private let libraries: Libraries
    private let fault: (String) -> Void
    private let timer: LoopTimer
    private var round: Round?
    /// All of a round was handed to the store, and its outcome is not known yet.
    private var isSaving = false
    /// The newest entry when the last round began.
    private var newest: Int

    /// - Parameter fault: called with the reason if a state cannot be encoded.
    init(
        _ loop: Loop, _ store: Store, _ libraries: Libraries, fault: @escaping (String) -> Void
    ) {
        (self.loop, self.store, self.libraries, self.fault) = (loop, store, libraries, fault)
        newest = store.content.covered
        timer = LoopTimer(loop: loop) {}
        timer.arm(afterMicroseconds: Self.interval)
    }

    /// Whether part of a round is not encoded yet.
    var hasWork: Bool { round != nil }

    func attend() {
        takeOutcome()
        let hasMany = libraries.applied - newest >= Self.mostEntries
        if !timer.isArmed || hasMany || store.takeWantsStates() { begin() }
        encodePortion()
    }

    /// Begins a round, unless one is under way.
    func begin() {
        guard round == nil, !isSaving else { return }
        timer.arm(afterMicroseconds: Self.interval)
        newest = libraries.applied
        guard libraries.hasUnsavedStates else { return }
        round = Round(
            rest: libraries.takeUnsavedStates()[...], covered: newest, time: libraries.now)
    }

    private func encodePortion() {
        guard var round else { return }
        self.round = nil
        var (portion, size): ([StateChange], Int) = ([], 0)
        while size < Self.portion, let encode = round.rest.popFirst() {
            do {
                let change = try encode()
                size += change.size
                portion.append(change)
            } catch {
                round.isIncomplete = true
                fault("a state cannot be encoded: \(error)")
            }
        }
        store.saveStates(portion)
        guard round.rest.isEmpty else {
            self.round = round
            return
        }
        guard !round.isIncomplete else {
            store.dropStates()
            return libraries.finishSavingStates(successfully: false)
        }
        store.commitStates(covered: round.covered, time: round.time)
        isSaving = true
    }

    private func takeOutcome() {
        guard isSaving, let outcome = store.takeStatesOutcome() else { return }
        isSaving = false
        switch outcome {
        case .success: libraries.finishSavingStates(successfully: true)
        case .failure: libraries.finishSavingStates(successfully: false)
        }
    }

    /// Hands all unsaved states to the store, at the end. It first waits for a round that is being
    /// written: if this round fails, the last round must have its changes.
    func saveAll() {
        while round != nil { encodePortion() }
        let end = LoopTimer(loop: loop) {}
        end.arm(afterMicroseconds: Self.longestWait)
        takeOutcome()
        while isSaving, end.isArmed {
            loop.turn(block: true)
            takeOutcome()
        }
        begin()
        while round != nil { encodePortion() }
    }
}

extension StateChange {
    /// Approximate bytes.
    fileprivate var size: Int {
        switch self {
        case .save(let state, _): 256 + state.summary.count + state.body.count + state.keys.count
        case .remove, .amend: 256
        }
    }
}
