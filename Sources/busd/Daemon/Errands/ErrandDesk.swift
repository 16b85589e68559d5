import BusdEventLoop
import BusdStorage
import Glibc

/// Where a daemon takes errands. What an errand has changed is answered, and logged, once it is on
/// disk, and so is one that has changed nothing, for which what is not on disk yet may be why.
final class ErrandDesk {
    private let folder: String
    private let store: Store
    private let log: Log
    private let loop: Loop
    private var listener: UnixListener?

    private var callers: [Caller] = []
    /// What is to be done in this turn.
    private var arrived: [(caller: Caller, errand: Errand)] = []
    /// What waits for a commit, and for the how manieth.
    private var changed: [(caller: Caller, answer: ErrandAnswer, commit: Int)] = []
    private var commits = 0
    /// There is one place for a copy: it is taken while one is written, and until whoever asked for
    /// it has fetched it.
    private var isCopying = false
    private weak var copying: Caller?

    init(loop: Loop, folder: String, store: Store, log: Log) throws(ListenError) {
        (self.loop, self.folder, self.store, self.log) = (loop, folder, store, log)
        listener = try UnixListener(
            loop: loop, path: Errand.socket(in: folder), mode: 0o600, folderMode: 0o700
        ) { [weak self] in self?.arrived($0) }
    }

    /// Of the store, in the order in which they began.
    func commitEnded(successfully isDone: Bool) {
        commits += 1
        // One that fails takes back what has changed since, too.
        let ended = changed.filter { !isDone || $0.commit <= commits }
        changed.removeAll { !isDone || $0.commit <= commits }
        for (caller, answer, _) in ended {
            guard isDone else {
                caller.answer(.refused("storage can't write now: nothing has changed"))
                continue
            }
            if case .done(let text) = answer { log.info(String(text.dropLast())) }
            caller.answer(answer)
        }
    }

    /// Does what has been asked for meanwhile.
    func attend() {
        if let outcome = store.takeBackupOutcome() { copied(outcome) }
        let errands = arrived
        arrived = []
        for (caller, errand) in errands { perform(errand, for: caller) }
    }

    // MARK: Callers

    private func arrived(_ arrival: UnixListener.Arrival) {
        switch arrival {
        case .accepted(let socket, _):
            do {
                callers.append(
                    try Caller(socket, loop: loop) { [weak self] caller, said in
                        self?.heard(said, from: caller)
                    })
            } catch {
                log.warning("an errand can't be heard: \(error)")
            }
        case .overloaded: break
        case .failed(let error): log.warning("no errands can be taken for now: \(error)")
        }
    }

    private func heard(_ said: Caller.Said, from caller: Caller) {
        switch said {
        case .line(let line):
            if let errand = Errand(line: line) {
                arrived.append((caller, errand))
            } else {
                caller.answer(.refused("this daemon does not know that errand"))
            }
        case .goodbye:
            callers.removeAll { $0 === caller }
        }
    }

    // MARK: Errands

    private func perform(_ errand: Errand, for caller: Caller) {
        switch errand {
        case .backup: copy(for: caller)
        case .user(let errand):
            let answer = errand.perform(on: store.users)
            let waiting = store.commitsUnderWay + (store.hasChanges ? 1 : 0)
            if errand.changesSomething, waiting > 0 {
                changed.append((caller, answer, commits + waiting))
            } else {
                caller.answer(answer)
            }
        }
    }

    private func copy(for caller: Caller) {
        guard !isCopying, copying == nil else {
            return caller.answer(.refused("another copy is being made"))
        }
        isCopying = true
        copying = caller
        store.backup(to: Maintenance.copy(in: folder))
    }

    private func copied(_ outcome: Result<Void, StoreError>) {
        isCopying = false
        switch outcome {
        case .success:
            log.info("a copy of the store has been made")
            guard let copying else {
                // The command that asked for it has ended.
                unlink(Maintenance.copy(in: folder))
                return
            }
            copying.answer(.done(""))
        case .failure(let error):
            log.error("no copy of the store could be made: \(error)")
            copying?.answer(.refused("no copy could be made: \(error)"))
        }
    }
}
