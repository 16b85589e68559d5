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
    private let connection: BusConnection
    private let console: Console
    private let form: Form
    private var text = WatchText()
    private var targets: [Target]
    private var left: Int?
    private var status: ExitStatus?
    private var wasConnected = false
    private var isLost = false
    /// The names of events have been checked.
    private var isChecked = false
    /// The values for `--until`, if they are in lists that events edit.
    private var states: [Address: ViewModelState] = [:]
    private var edits: [String: EditedList] = [:]
    /// The cursor in the file of `--resume`.
    private var noted: Cursor?
    private var hasSubscribed = false

    init(_ watch: Watch, _ connection: BusConnection, _ console: Console, _ form: Form) {
        self.watch = watch
        self.connection = connection
        self.console = console
        self.form = form
        left = watch.count
        targets = watch.patterns.map {
            Target(pattern: $0, bookmark: Bookmark(at: watch.since))
        }
    }

    /// - Parameter timeout: zero is without limit.
    func run(within timeout: Duration) -> ExitStatus {
        if let resume = watch.resume {
            do throws(ResumeFile.Failure) {
                targets[0].bookmark = Bookmark(at: try resume.read())
            } catch {
                console.writeError("viewctl: \(error.message)")
                return .badInput
            }
        }
        connection.listen(self) { $0.received($1) }
        return connection.run(within: timeout, console) { status }
    }

    /// Notes what was printed or handled.
    private func note() {
        guard let resume = watch.resume, let cursor = targets[0].bookmark.cursor, cursor != noted
        else { return }
        noted = cursor
        do throws(ReplacedFile.Failure) {
            try resume.write(cursor)
        } catch {
            console.writeError("viewctl: \(error.message)")
            end(.outputFailed)
        }
    }

    private func end(_ status: ExitStatus) { if self.status == nil { self.status = status } }

    // MARK: Events

    private func received(_ event: BusConnection.Event) {
        guard status == nil else { return }
        switch event {
        case .connected: connected()
        case .line(let line, let object): received(line, object)
        case .lost(let loss): lost(loss)
        }
    }

    private func connected() {
        if isLost { console.writeError("viewctl: connected") }
        isLost = false
        wasConnected = true
        checkNames()
    }

    /// Checks the names once, before the first subscription.
    private func checkNames() {
        guard !isChecked, let check = NameCheck(watch) else { return subscribe() }
        check.ask(connection) { [weak self] kinds in
            guard let self else { return }
            (isChecked, edits) = (true, kinds.edits)
            guard let message = check.errorMessage(kinds) else { return subscribe() }
            console.writeError(message)
            end(.usage)
        }
    }

    private func subscribe() {
        for index in targets.indices where !targets[index].isGone { subscribe(index) }
    }

    private func subscribe(_ index: Int) {
        let target = targets[index]
        let request = BusRequest.subscribe(
            target.pattern, as: watch.viewName, only: watch.only, since: target.bookmark.cursor)
        connection.request(request) { [weak self] answer in
            switch answer {
            case .success(let ok): self?.subscribed(ok, since: target.bookmark.cursor)
            case .failure(.refused(let error)): self?.refused(error, index)
            case .failure: break
            }
        }
    }

    /// The first subscription with `--resume` reports what it misses.
    private func subscribed(_ ok: JSONValue, since cursor: Cursor?) {
        defer { hasSubscribed = true }
        guard watch.resume != nil, !hasSubscribed, cursor != nil, ok["resumed"]?.boolean == false
        else { return }
        console.writeError(
            "viewctl: busd does not have all events since the last run: the present values follow")
    }

    private func refused(_ error: WireError, _ index: Int) {
        if error.code == .unknownViewModel, targets[index].bookmark.cursor != nil {
            return gone(index)
        }
        console.writeError(refusal(error))
        end(ExitStatus(refusedWith: error.code))
    }

    private func lost(_ loss: Loss) {
        if loss.isFinal(wasConnected: wasConnected) {
            console.writeError("viewctl: \(loss.advice)")
            return end(ExitStatus(loss))
        }
        if !isLost { console.writeError("viewctl: \(loss); trying again") }
        isLost = true
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
            if watch.until?.isGone == true { return end(.done) }
            if let index = index(of: address.text) { gone(index) }
        case .gap(let address, let missed) where watch.program != nil:
            console.writeError("viewctl: \(address): \(missed) events were missed")
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
        if let condition = watch.until, fulfils(event, condition) { end(.done) }
        if let left {
            self.left = left - 1
            if left == 1 { end(.done) }
        }
    }

    /// With `--resume`, a signal that ends the process waits until the event is noted: it is not
    /// handled again by the next run.
    private func run(_ program: EventProgram, _ event: BusEvent, _ object: JSONValue) {
        console.flush()
        var signals = watch.resume == nil ? nil : HeldSignals()
        defer { signals?.release() }
        if let problem = program.run(event, object) {
            console.writeError("viewctl: \(problem)")
        }
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
        switch form {
        case .json: console.put(json: object.json)
        case .text(let style): if let text = text.line(line, style) { console.put(lines: [text]) }
        }
    }

    private func index(of address: String) -> Int? {
        targets.firstIndex { $0.pattern.text == address }
    }

    /// A view model that is gone is not watched again in this run. The run ends if all are gone.
    private func gone(_ index: Int) {
        targets[index].isGone = true
        console.writeError("viewctl: \(targets[index].pattern) is gone")
        if targets.allSatisfy(\.isGone) { end(.gone) }
    }
}
