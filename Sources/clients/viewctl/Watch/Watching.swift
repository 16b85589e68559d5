import BusdClient
import BusdEventLoop
import BusdOptions
import BusdProtocol
import BusdScreens

/// A run of `viewctl watch`. It may use several connections, one after the other.
final class Watching {
    private struct Target {
        let pattern: Pattern
        var bookmark: Bookmark
        var isGone = false
    }

    private let watch: Watch
    private let session: Session
    private let console: Console
    private let form: OutputForm
    private var text = WatchText()
    private var targets: [Target]
    private var left: Int?
    /// The names of events have been checked.
    private var isChecked = false
    /// The values for `--until`, if they are in lists that events edit.
    private var states: [Address: ViewModelState] = [:]
    private var edits: [String: EditedList] = [:]
    /// The cursor in the file of `--resume`.
    private var noted: Cursor?
    private var hasSubscribed = false

    init(_ watch: Watch, _ session: Session, _ console: Console, _ form: OutputForm) {
        (self.watch, self.session, self.console, self.form) = (watch, session, console, form)
        left = watch.count
        targets = watch.patterns.map {
            Target(pattern: $0, bookmark: Bookmark(at: watch.since))
        }
    }

    func run() throws -> ExitStatus {
        if let resume = watch.resume {
            do throws(ResumeFile.Failure) {
                targets[0].bookmark = Bookmark(at: try resume.read())
            } catch {
                throw Outcome(.badInput, error.message)
            }
        }
        session.reportLosses(on: console) { [weak self] in self?.checkNames() }
        session.received = { [weak self] in self?.received($0, $1) }
        return try session.run(console)
    }

    /// Notes what was printed or handled.
    private func note() {
        guard let resume = watch.resume, let cursor = targets[0].bookmark.cursor, cursor != noted
        else { return }
        noted = cursor
        do throws(ResumeFile.Failure) {
            try resume.write(cursor)
        } catch {
            session.end(Outcome(.outputFailed, error.message))
        }
    }

    // MARK: Subscriptions

    /// Checks the names once, before the first subscription.
    private func checkNames() {
        guard !isChecked, let check = NameCheck(watch) else { return subscribe() }
        check.ask(session) { [weak self] kinds in
            guard let self else { return }
            (isChecked, edits) = (true, kinds.edits)
            guard let message = check.errorMessage(kinds) else { return subscribe() }
            session.end(console.misfit(Watch.name, message))
        }
    }

    private func subscribe() {
        for index in targets.indices where !targets[index].isGone { subscribe(index) }
    }

    private func subscribe(_ index: Int) {
        let target = targets[index]
        let request = BusRequest.subscribe(
            target.pattern, as: watch.viewName, only: watch.only, since: target.bookmark.cursor)
        session.ask(request) { [weak self] in
            self?.subscribed($0, since: target.bookmark.cursor)
        } refused: { [weak self] in
            self?.refused($0, index)
        }
    }

    /// The first subscription with `--resume` reports what it misses.
    private func subscribed(_ ok: JSONValue, since cursor: Cursor?) {
        defer { hasSubscribed = true }
        guard watch.resume != nil, !hasSubscribed, cursor != nil, ok["resumed"]?.boolean == false
        else { return }
        console.note(
            "the daemon does not have all events since the last run: the present values follow")
    }

    private func refused(_ error: WireError, _ index: Int) {
        if error.code == .unknownViewModel, targets[index].bookmark.cursor != nil {
            return gone(index)
        }
        session.end(RequestFailure.refused(error))
    }

    // MARK: Lines

    private func received(_ line: BusLine, _ object: JSONValue) {
        switch line {
        case .event(let event): received(event, object)
        case .live(let to, let cursor?):
            if let index = index(of: to.text) { targets[index].bookmark.becameLive(at: cursor) }
            put(line, object)
        case .gone(let address):
            put(line, object)
            states[address] = nil
            if watch.until?.isGone == true { return session.end(Outcome.done) }
            if let index = index(of: address.text) { gone(index) }
        case .gap(let address, let missed) where watch.program != nil:
            console.note("\(address): \(missed) events were missed")
        case .live, .gap: put(line, object)
        case .ok, .refusal, .ping, .bye, .unknown: break
        }
    }

    private func received(_ event: BusEvent, _ object: JSONValue) {
        if let index = index(of: event.from.text) { _ = targets[index].bookmark.isNew(event) }
        if let program = watch.program {
            run(program, event, object)
        } else {
            put(.event(event), object)
        }
        if let condition = watch.until, fulfils(event, condition) { session.end(Outcome.done) }
        if let left {
            self.left = left - 1
            if left == 1 { session.end(Outcome.done) }
        }
    }

    /// With `--resume`, a signal that ends the process waits until the event is noted: it is not
    /// handled again by the next run.
    private func run(_ program: EventProgram, _ event: BusEvent, _ object: JSONValue) {
        console.flush()
        var signals = watch.resume == nil ? nil : HeldSignals()
        defer { signals?.release() }
        if let problem = program.run(event, object) { console.note(problem) }
        note()
    }

    private func fulfils(_ event: BusEvent, _ condition: Condition) -> Bool {
        let path = condition.path
        guard edits.values.contains(where: { $0.event.isExactly(path.event) }) else {
            return condition.holds(for: event.event[path.event]?.value(at: path.fields[...]))
        }
        let changed = states[event.from, default: ViewModelState(edits)].apply(event.event)
        return changed == path.event && condition.holds(for: states[event.from]?.value(at: path))
    }

    /// With `--resume`, each line is written and noted at once.
    private func put(_ line: BusLine, _ object: JSONValue) {
        guard watch.program == nil else { return note() }
        defer { if watch.resume != nil { console.flush { note() } } }
        console.put(object, form) { text.lines(line, $0) }
    }

    private func index(of address: String) -> Int? {
        targets.firstIndex { $0.pattern.text == address }
    }

    /// A view model that is gone is not watched again in this run. The run ends if all are gone.
    private func gone(_ index: Int) {
        targets[index].isGone = true
        console.note("\(targets[index].pattern) is gone")
        if targets.allSatisfy(\.isGone) { session.end(Outcome(.gone)) }
    }
}
