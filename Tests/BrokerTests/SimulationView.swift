import BusdProtocol
import BusdTestKit

/// A client of the simulation: keeps the state of a view, and checks each line against the truth.
final class SimulatedView {
    let connection: TestConnection
    let truth: SimulatedTruth
    /// Called with each line.
    var whenRead: (String) -> Void = { _ in }
    /// What an earlier client knew of each view model when it closed.
    let memory: [String: Heard]
    let user: Int
    /// The index of the policy that was in force when it connected.
    let firstPolicy: Int
    /// The addresses that a policy has hidden.
    var losses: Set<String> = []
    /// By the mark of the view model: the first and the last `seq` that it may have had when a
    /// policy hid it.
    var lossesOfLife: [String: [ClosedRange<Int>]] = [:]
    /// While a policy comes into force: the marks of all view models before it.
    var livesBefore: Set<String>?
    /// While a policy comes into force: it decided the client's rights before this turn.
    var hasNewRights = false

    var pending: [SimulatedRequest] = []
    private(set) var subscriptions: [Subscription] = []
    private(set) var heard: [String: Heard] = [:]
    /// The last `done` of each address.
    private(set) var done: [String: Cursor] = [:]
    /// The view models that the current join has not shown yet, in order.
    private(set) var joining: [String] = []
    private(set) var livePattern: String?
    /// View models that the answer to the join named, and that ended before they were shown.
    private(set) var ended: Set<String> = []
    /// View models that had ended before the answer to a join could name them. Their events that
    /// the earlier subscriptions did not want were never queued.
    private var endedBefore: Set<String> = []
    /// What is known of `joining.first` if the answer reported that the join resumes.
    private var resumed: Heard?
    /// The lines of a snapshot that is not complete.
    private(set) var snapshot: [SimulatedLine.Said] = []
    private var lastOrder = 0
    var isHalfClosed = false
    /// It has sent a bad line since its last ping. Three in a row would end the connection.
    var hasSaidNonsense = false
    private(set) var isTold = false
    /// The daemon is stopping, so a join in pieces may be cut off.
    var mayBeCut = false
    private var isCut = false
    private(set) var problem: String?

    init(
        _ connection: TestConnection, _ truth: SimulatedTruth, user: Int, memory: [String: Heard]
    ) {
        self.connection = connection
        self.user = user
        firstPolicy = truth.policies.count - 1
        self.truth = truth
        self.memory = memory
    }

    func read() {
        for line in connection.takeLines() where problem == nil { read(line) }
    }

    func fail(_ reason: String, _ line: String = "") {
        if problem == nil { problem = "\(reason): \(line)" }
    }

    private func read(_ text: String) {
        whenRead(text)
        guard let line = truth.reader.read(text) else { return fail("not a line", text) }
        checkSecrets(text)
        if livePattern != nil { skipEnded(before: line) }
        if mayBeCut, livePattern != nil, !goesOnJoining(line) { isCut = true }
        guard !isCut else {
            if case .bye = line { isTold = true }
            return
        }
        if !snapshot.isEmpty {
            switch line {
            case .said(let said) where said.isSnapshot: break
            case .live: break
            default: return fail("this stands in a snapshot", text)
            }
        }
        switch line {
        case .said(let said): said.isSnapshot ? take(said, text) : hear(said, text)
        case .live(let address, let mark, let seq, let done):
            live(address, mark, seq, text)
            note(done, of: address, text)
        case .livePattern(let pattern):
            if pattern != livePattern || !joining.isEmpty { fail("nothing is live", text) }
            livePattern = nil
        case .gone(let address): gone(address, text)
        case .gap(let address, let missed): gap(address, missed, text)
        case .ok(let ok, let id): answered(id, text) { self.took(ok, $0, text) }
        case .refused(let code, let seq, let done, let id):
            answered(id, text) { self.refused(code, seq, done, $0, text) }
        case .ping: if !isHalfClosed { fail("a ping", text) }
        case .bye: isTold = true
        }
    }

    // MARK: Events

    private func hear(_ said: SimulatedLine.Said, _ line: String) {
        guard case .some(let only) = filter(said.from) else { return fail("not wanted", line) }
        if let first = joining.first {
            guard first == said.from, let known = resumed else {
                return fail("\(first) was to come", line)
            }
            resumed = hear(said, known, only, line)
        } else if let known = heard[said.from] {
            if known.gapEnd != nil { return fail("the gap is not over", line) }
            heard[said.from] = hear(said, known, only, line)
            let order = known.life.event(said.seq)?.order ?? 0
            if order <= lastOrder { fail("not the order of all", line) }
            lastOrder = order
        } else {
            fail("not live", line)
        }
    }

    private func hear(
        _ said: SimulatedLine.Said, _ known: Heard, _ only: Set<String>?, _ line: String
    ) -> Heard {
        var known = known
        guard let event = known.life.event(said.seq), said.seq > known.seq else {
            fail("known already, or never said", line)
            return known
        }
        // An unanswered `unsubscribe` in pieces may already have narrowed the filter.
        let wished = [only] + filters(of: said.from)
        if !wished.contains(where: { known.life.isSilent(after: known.seq, upTo: said.seq - 1, $0) }
        ) {
            fail("a hole", line)
        }
        if said.seq > lastVisible(known.life) { fail("not visible", line) }
        if event.name != said.name || event.json != said.json || event.cause != said.cause {
            fail("not what was said", line)
        }
        if !wished.contains(where: { known.life.saysMore(after: said.seq, $0) == said.hasMore }) {
            fail("more", line)
        }
        known.seq = said.seq
        known.values.apply(said.name, said.json)
        known.isInUpdate = said.hasMore
        return known
    }

    // MARK: Joining

    private func take(_ said: SimulatedLine.Said, _ line: String) {
        if let first = snapshot.first, first.from != said.from || first.seq != said.seq {
            fail("another snapshot", line)
        }
        if snapshot.last.map({ !$0.hasMore }) ?? false { fail("the snapshot is over", line) }
        if joining.first == said.from, resumed != nil { fail("a snapshot", line) }
        snapshot.append(said)
    }

    private func live(_ address: String, _ mark: String, _ seq: Int, _ line: String) {
        defer { snapshot = [] }
        guard let life = truth.lives[mark], life.address == address, seq <= lastVisible(life) else {
            return fail("there was no such view model", line)
        }
        guard snapshot.allSatisfy({ $0.from == address && $0.seq == seq }),
            !(snapshot.last?.hasMore ?? false)
        else { return fail("not a whole snapshot", line) }
        if let end = heard[address]?.gapEnd, end != seq { fail("the gap ends at \(end)", line) }
        if heard[address]?.gapEnd == nil, heard[address]?.isInUpdate ?? false, resumed == nil {
            fail("an update was cut", line)
        }
        if joining.first == address {
            joining.removeFirst()
        } else if !joining.isEmpty || !mayJoin(address) {
            return fail("nobody asked for it", line)
        }
        heard[address] = resumed.map { complete($0, life, seq, line) } ?? joined(life, seq, line)
        resumed = nil
    }

    /// Whether the view model may be shown as an arrival, or again after a gap.
    private func mayJoin(_ address: String) -> Bool {
        guard let address = Address(address) else { return false }
        if let known = heard[address.text] { return known.gapEnd != nil }
        return subscriptions.contains { $0.pattern.address == nil && $0.pattern.matches(address) }
    }

    private func complete(
        _ known: Heard, _ life: SimulatedTruth.Life, _ seq: Int, _ line: String
    ) -> Heard {
        var known = known
        let only = filter(life.address) ?? nil
        if known.life !== life { fail("another view model", line) }
        if !life.isSilent(after: known.seq, upTo: seq, only) { fail("a hole before live", line) }
        if known.isInUpdate { fail("an update has no end", line) }
        known.seq = seq
        return known
    }

    private func joined(_ life: SimulatedTruth.Life, _ seq: Int, _ line: String) -> Heard {
        var values = SimulatedValues()
        for said in snapshot { values.apply(said.name, said.json) }
        var only = filter(life.address) ?? nil
        if life.address.hasPrefix("bus/") {
            return Heard(life: life, seq: seq, values: values, trusted: only)
        }
        // A gap reflects the subscriptions when it is sent, including requests not yet answered.
        let expected = filters(of: life.address).first { candidate in
            life.values(at: seq)?.only(candidate) == values
        }
        if let expected { only = expected } else { fail("not the values", line) }
        return Heard(life: life, seq: seq, values: values, trusted: only)
    }

    // MARK: Gaps and ends

    private func gap(_ address: String, _ missed: Int, _ line: String) {
        let isInJoin = mayInterrupt(address)
        guard isInJoin || joining.isEmpty, var known = heard[address],
            isInJoin || known.gapEnd == nil, missed > 0,
            known.reach + missed <= lastVisible(known.life)
        else { return fail("nothing was missed", line) }
        known.gapEnd = known.reach + missed
        known.isInUpdate = false
        heard[address] = known
    }

    /// A join also sends gaps of view models that were joined before.
    private func mayInterrupt(_ address: String) -> Bool {
        livePattern != nil && snapshot.isEmpty
            && (joining.first == address || heard[address]?.life.isOver == true
                || losses.contains(address))
    }

    /// A join does not show view models that have ended: `gone` follows behind `live` of its
    /// pattern.
    private func skipEnded(before line: SimulatedLine) {
        let next: String?
        switch line {
        case .said(let said) where said.isSnapshot: next = said.from
        case .live(let address, _, _, _): next = address
        case .gap(let address, _):
            let isOver = heard[address]?.life.isOver != false || losses.contains(address)
            guard !isOver else { return }
            next = address
        case .livePattern: next = nil
        default: return
        }
        while let first = joining.first, first != next, hasEnded(first) {
            ended.insert(joining.removeFirst())
        }
    }

    private func hasEnded(_ address: String) -> Bool {
        losses.contains(address)
            || truth.lives.values.contains { $0.address == address && $0.isOver }
    }

    private func goesOnJoining(_ line: SimulatedLine) -> Bool {
        switch line {
        case .said(let said): said.isSnapshot && said.from == joining.first
        case .live(let address, _, _, _): address == joining.first
        case .gap(let address, _): mayInterrupt(address)
        case .livePattern: joining.isEmpty
        default: false
        }
    }

    private func gone(_ address: String, _ line: String) {
        let isNamed = ended.remove(address) != nil
        guard joining.isEmpty, livePattern == nil else { return fail("live was to come", line) }
        let hasJoined = endedBefore.remove(address) != nil || isNamed
        guard let known = heard.removeValue(forKey: address) else {
            if !isNamed { fail("nothing has ended", line) }
            return
        }
        let loss = lossesOfLife[known.life.mark]?.first { $0.upperBound >= known.reach }
        guard known.life.isOver || loss != nil else { return fail("it has not ended", line) }
        if known.isInUpdate { fail("an update was cut by the end", line) }
        // As in `hear`, the filter may be narrower already.
        let wished = hasJoined ? [known.trusted] : filters(of: address)
        let (reach, last) = (known.reach, loss?.lowerBound ?? known.life.seq)
        if !wished.contains(where: { known.life.isSilent(after: reach, upTo: last, $0) }) {
            fail("its end was missed", line)
        }
        subscriptions.removeAll { $0.pattern.address?.text == address }
    }

    // MARK: Answers

    private func answered(
        _ id: Int?, _ line: String, _ judge: (SimulatedRequest) -> Void
    ) {
        guard joining.isEmpty, livePattern == nil else { return fail("live was to come", line) }
        guard !pending.isEmpty, pending[0].id == id else { return fail("out of order", line) }
        judge(pending.removeFirst())
    }

    private func took(_ ok: JSONValue, _ request: SimulatedRequest, _ line: String) {
        switch request.kind {
        case .subscribe(let pattern, let only, let since): join(ok, pattern, only, since, line)
        case .unsubscribe(let pattern): leave(pattern, line)
        case .send(let address, let ifSeq, let ifDone):
            if !policies(for: request).contains(where: { $0.maySend(user, address) }) {
                fail("this was forbidden", line)
            }
            sent(ok, request.id, address, ifSeq, line)
            noteDone(ok, address, ifDone, line)
        case .get(let address): got(ok, address, line)
        case .list(let pattern, let alive):
            let alive = alive.filter { address, _ in
                policies(for: request).allSatisfy { $0.mayLook(user, address) }
            }
            listed(ok, pattern, alive, line)
        case .other: break
        }
    }

    private func join(
        _ ok: JSONValue, _ pattern: Pattern, _ only: Set<String>?, _ since: Cursor?,
        _ line: String
    ) {
        Self.add(pattern, only, to: &subscriptions)
        joining = ok["matched"]?.elements.compactMap(\.text) ?? []
        if joining != joining.sorted() { fail("not in order", line) }
        for address in joining where !(Address(address).map(pattern.matches) ?? false) {
            fail("not what was asked for", line)
        }
        if let address = pattern.address {
            if joining != [address.text] { fail("one address, one view model", line) }
        } else {
            livePattern = pattern.text
            for (address, known) in heard where !joining.contains(address) {
                guard known.life.isOver || losses.contains(address) else { continue }
                if Address(address).map(pattern.matches) ?? false { endedBefore.insert(address) }
            }
        }
        guard ok["resumed"]?.boolean == true else { return }
        guard let since, let address = joining.first else { return fail("it can't resume", line) }
        let known = [heard[address], memory[address]].compactMap { $0 }
            .first { $0.life.mark == since.mark && $0.seq == since.seq }
        if let known {
            resumed = known
            resumed?.isInUpdate = false
            resumed?.gapEnd = nil
            resumed?.trusted = narrowed(known.trusted, to: filter(address) ?? nil)
        } else if let life = truth.lives[since.mark] {
            // The cursor is of another client, so the values are not known.
            resumed = Heard(life: life, seq: since.seq, values: SimulatedValues(), trusted: [])
        }
    }

    private func narrowed(_ trusted: Set<String>?, to only: Set<String>?) -> Set<String>? {
        guard let trusted else { return only }
        return only.map(trusted.intersection) ?? trusted
    }

    private func leave(_ pattern: Pattern, _ line: String) {
        guard subscriptions.contains(where: { $0.pattern == pattern }) else {
            return fail("there was no such subscription", line)
        }
        subscriptions.removeAll { $0.pattern == pattern }
        for (address, known) in heard {
            switch filter(address) {
            case .none:
                if known.isInUpdate { fail("an update was cut by leaving", line) }
                heard[address] = nil
            case .some(let only):
                heard[address]?.trusted = narrowed(known.trusted, to: only)
            }
        }
    }

    /// All events that a `send` caused must be known or reported as missed.
    private func sent(
        _ ok: JSONValue, _ id: Int, _ address: String, _ ifSeq: Int?, _ line: String
    ) {
        let caused = truth.caused[id] ?? []
        let own = caused.filter { $0.life.address == address }.map(\.seq)
        let range = ok["seq"]?.elements.compactMap(\.integer) ?? []
        if !caused.isEmpty, ok["changed"]?.boolean != true { fail("it has changed", line) }
        if ok["duplicate"] == nil {
            if range != (own.isEmpty ? [] : [own[0], own[own.count - 1]]) {
                fail("it caused \(own)", line)
            }
            if let ifSeq, let first = own.first, first != ifSeq + 1 { fail("stale", line) }
        } else if !own.isEmpty {
            fail("a retry had an effect", line)
        }
        for (life, seq) in caused {
            guard let known = heard[life.address], known.life === life else { continue }
            let only = filter(life.address) ?? nil
            if !life.isSilent(after: known.reach, upTo: seq, only) {
                fail("the answer comes before \(life.address) \(seq)", line)
            }
        }
    }

    /// Counts an effect, and checks `done` against `ifDone`.
    private func noteDone(_ ok: JSONValue, _ address: String, _ ifDone: Cursor?, _ line: String) {
        guard let changed = ok["changed"]?.boolean else { return fail("changed is missing", line) }
        let done = ok["done"]?.text.flatMap(Cursor.init)
        guard ok["duplicate"] == nil else { return }
        if changed { truth.done[SimulatedTruth.thing(at: address), default: 0] += 1 }
        guard let ifDone else {
            if done != nil { fail("nobody asked for done", line) }
            return
        }
        // A view model that the send has ended has no `done`.
        let next = Cursor(mark: ifDone.mark, seq: ifDone.seq + (changed ? 1 : 0))
        if let done, done != next { fail("done is not \(next)", line) }
    }

    /// `done` never goes back.
    private func note(_ done: Cursor, of address: String, _ line: String) {
        if let last = self.done[address], last.mark == done.mark, last.seq > done.seq {
            fail("done was \(last)", line)
        }
        self.done[address] = done
    }

    private func got(_ ok: JSONValue, _ address: String, _ line: String) {
        guard let cursor = ok["cursor"]?.text.flatMap(Cursor.init),
            let life = truth.lives[cursor.mark], life.address == address
        else { return fail("there was no such view model", line) }
        guard let done = ok["done"]?.text.flatMap(Cursor.init) else {
            return fail("done is missing", line)
        }
        // A gap that is sent before the answer may show a later `done`.
        let known = self.done[address].flatMap { $0.mark == done.mark ? $0.seq : nil } ?? 0
        if known <= done.seq { note(done, of: address, line) }
        var values = SimulatedValues()
        for event in ok["events"]?.elements.map({ $0 }) ?? [] {
            let name = event.members.first { _ in true }?.key.text ?? ""
            values.apply(name, String(decoding: event.json, as: UTF8.self))
        }
        if life.values(at: cursor.seq) != values { fail("not the values", line) }
    }

    /// The list has each view model that existed all the time, in order, and none that never
    /// existed.
    private func listed(
        _ ok: JSONValue, _ pattern: Pattern, _ before: [String: SimulatedTruth.Life],
        _ line: String
    ) {
        var listed: [String] = []
        for row in ok["viewModels"]?.elements.map({ $0 }) ?? [] {
            guard let address = row["address"]?.text, let seq = row["seq"]?.integer,
                hasBeen(address, at: seq)
            else { return fail("there was no such view model", line) }
            listed.append(address)
        }
        if listed != Set(listed).sorted() { fail("not in order", line) }
        if listed.contains(where: { Address($0).map(pattern.matches) != true }) {
            fail("not what was asked for", line)
        }
        for (address, life) in before where truth.alive[address] === life {
            if Address(address).map(pattern.matches) == true, !listed.contains(address) {
                fail("\(address) is not listed", line)
            }
        }
    }

    /// No client is shown a part of `tally` that arrives while its end waits for the disk.
    private func hasBeen(_ address: String, at seq: Int) -> Bool {
        truth.lives.values.contains { $0.address == address && $0.seq >= seq }
            || address.hasPrefix("tally/")
    }

    private func refused(
        _ code: String, _ seq: Int?, _ done: Cursor?, _ request: SimulatedRequest,
        _ line: String
    ) {
        if truth.caused[request.id] != nil { fail("it had an effect", line) }
        switch (request.kind, code) {
        case (.subscribe(let pattern, _, _), "unknownViewModel") where pattern.address != nil: break
        case (.send, "unknownViewModel"), (.get, "unknownViewModel"), (_, "overloaded"): break
        case (.send(let address, _, _), "notAllowed"):
            if policies(for: request).allSatisfy({ $0.maySend(user, address) }) {
                fail("this was allowed", line)
            }
        case (.send(let address, _, _), "unavailable") where address.hasPrefix("tally"): break
        case (.unsubscribe(let pattern), "badRequest"):
            if subscriptions.contains(where: { $0.pattern == pattern }) { fail("it is", line) }
        case (.send("tally", _, _), "stale"): break
        case (.send(_, let ifSeq?, _), "stale") where seq != ifSeq: break
        case (.send(_, nil, let ifDone?), "stale") where done != ifDone: break
        case (.other, "parse"), (.other, "unknownOp"): break
        default: fail("this was right", line)
        }
    }
}
