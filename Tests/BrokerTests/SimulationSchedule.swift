import BusdBroker
import BusdHosting
import BusdProtocol
import TestSupport
import Testing

@testable import BusdTestKit

/// One random schedule: clients connect, read slowly, unsubscribe, vanish and resume; view models
/// arrive, emit and end; time advances. Each step checks all new lines. At the end all clients read
/// everything, and must know the current state.
struct SimulatedSchedule {
    /// The clients, which the schedule shares with the end of a turn.
    private final class Crowd {
        var views: [SimulatedView] = []
    }

    private var random: SeededGenerator
    private let bus: TestBus
    private let disk = TestLog()
    private let truth: SimulatedTruth
    private let crowd = Crowd()
    private var views: [SimulatedView] { crowd.views }
    private var names: [ObjectIdentifier: Int] = [:]
    private var lastView = 0
    private var lastID = 0
    private var lastItem = 0
    /// What closed clients knew: later clients resume with it.
    private var memories: [[String: SimulatedView.Heard]] = []
    private var lastKeyed: (line: String, to: String)?
    /// Clients belong to several users, and the policy changes between these; none: it does not.
    private let policies: [SimulatedPolicy]
    private(set) var problem: String?
    /// Logs each step, and each line that a client reads.
    private let log: (String) -> Void

    init(seed: UInt64, log: @escaping (String) -> Void = { _ in }) {
        self.log = log
        random = SeededGenerator(seed: seed)
        var limits = Limits()
        limits.output = 400 + 100 * Int.random(in: 0..<8, using: &random)
        limits.outputTotal = 2_000
        limits.history = 8
        if Bool.random(using: &random) { limits.historyTotal = 6_000 }
        bus = TestBus.lab(limits: limits, log: disk) { host in
            host.register(EchoForTests.self)
            let world = TallyServices(host)
            host.register(TallyViewModel.self, services: world)
            world.open(host)
        }
        bus.bus.keepSnapshots(from: 0, sharingFrom: 30)
        bus.bus.limitTurns(
            to: [Cost.turn, 1_000, 100].randomElement(using: &random) ?? Cost.turn)
        truth = SimulatedTruth(bus.connect())
        let count = Bool.random(using: &random) ? 0 : 3
        var policies: [SimulatedPolicy] = []
        while policies.count < count { policies.append(SimulatedPolicy(using: &random)) }
        self.policies = policies
    }

    mutating func run(steps: Int) {
        bus.turnEnded = { [bus, truth, crowd] in
            guard crowd.views.contains(where: { $0.livesBefore != nil }) else { return }
            truth.read()
            for view in crowd.views { view.turnEnded(&bus.bus) }
        }
        defer { bus.turnEnded = {} }
        for _ in 0..<steps where problem == nil {
            step()
            check()
        }
        guard problem == nil else { return }
        end()
        if problem == nil { stop() }
    }

    // MARK: Steps

    private mutating func step() {
        guard let view = views.randomElement(using: &random) else { return come() }
        switch Int.random(in: 0..<(policies.isEmpty ? 100 : 120), using: &random) {
        case 0..<12: come()
        case 12..<46: ask(view)
        case 46..<50: leave(view)
        case 50..<62:
            let room = Int.random(in: 0..<300, using: &random)
            log("stall \(name(view)) after \(room)")
            view.connection.stall(after: room)
        case 62..<72:
            let room = Int.random(in: 1..<300, using: &random)
            log("room \(name(view)) \(room)")
            view.connection.makeRoom(room)
        case 72..<80:
            log("read on \(name(view))")
            view.connection.readOn()
        case 80..<90: advance()
        case 90..<96: commit(failsAtTimes: true)
        case 96..<98: vanish(view)
        case 98..<100: endInput(view)
        default: rule()
        }
    }

    private func name(_ view: SimulatedView) -> String {
        names[ObjectIdentifier(view)].map { "\($0)" } ?? "?"
    }

    private mutating func come() {
        guard views.count < 4 else { return advance() }
        let memory = memories.randomElement(using: &random) ?? [:]
        let users = policies.isEmpty ? [TestBus.owner] : SimulatedPolicy.users
        let user = users.randomElement(using: &random) ?? TestBus.owner
        let view = SimulatedView(bus.connect(user: user), truth, user: user, memory: memory)
        crowd.views.append(view)
        lastView += 1
        names[ObjectIdentifier(view)] = lastView
        log("connect \(name(view)) as \(user)")
        let (log, number) = (log, lastView)
        view.whenRead = { log("                \(number) ← \($0)") }
        if Bool.random(using: &random) {
            view.connection.stall(after: Int.random(in: 0..<600, using: &random))
        }
        ask(view)
    }

    private mutating func advance() {
        let spans: [Duration] = [.milliseconds(50), .milliseconds(700), .seconds(2), .seconds(16)]
        let isLong = Int.random(in: 0..<20, using: &random) == 0
        let span = isLong ? .seconds(61) : spans.randomElement(using: &random) ?? .zero
        log("advance \(span)")
        if Bool.random(using: &random) {
            bus.advance(by: span)
        } else {
            bus.bus.advance(by: span)
        }
    }

    /// Completes the oldest pending commit.
    private mutating func commit(failsAtTimes: Bool) {
        guard disk.hasCommits else { return }
        let isDone = !failsAtTimes || Int.random(in: 0..<4, using: &random) > 0
        log(isDone ? "committed" : "commit failed")
        if isDone { disk.succeed() } else { disk.fail() }
        bus.logReported()
    }

    /// Another policy comes into force.
    private mutating func rule() {
        guard let policy = policies.randomElement(using: &random) else { return }
        while bus.bus.isEnforcing { bus.turn() }
        log("policy \(policy.policy.rules.map { "\($0.subject) \($0.right) \($0.pattern)" })")
        // The witness gets the lines of all events so far.
        bus.turn()
        truth.read()
        for view in views { view.noteLosses(under: policy) }
        truth.policies.append(policy)
        guard Bool.random(using: &random) else { return bus.enforce(policy.policy) }
        bus.host.enforce(policy.policy)
        bus.bus.listen()
        for _ in 0..<Int.random(in: 0..<4, using: &random) { bus.turn() }
    }

    private mutating func vanish(_ view: SimulatedView) {
        log("vanish \(name(view))")
        view.connection.disconnect()
        forget(view)
    }

    private mutating func forget(_ view: SimulatedView) {
        memories.append(view.heard)
        for case .send(let to, _, _) in view.pending.map(\.kind) {
            truth.unanswered[SimulatedTruth.thing(at: to), default: 0] += 1
        }
        crowd.views.removeAll { $0 === view }
    }

    private mutating func endInput(_ view: SimulatedView) {
        log("half-close \(name(view))")
        view.isHalfClosed = true
        view.connection.endInput()
    }

    // MARK: Requests

    private mutating func ask(_ view: SimulatedView) {
        guard !view.isHalfClosed else { return }
        let requests = (0..<Int.random(in: 1..<5, using: &random)).map { _ in request(view) }
        deliver(bytes(of: requests, view), view)
    }

    /// The lines of requests. The client then expects their answers.
    private mutating func bytes(
        of requests: [(SimulatedRequest.Kind, String)], _ view: SimulatedView
    ) -> [UInt8] {
        var text = ""
        for (kind, members) in requests {
            lastID += 1
            let line = #"{\#(members),"id":\#(lastID)}"#
            view.pending.append(
                SimulatedRequest(
                    id: lastID, kind: kind, line: line,
                    policy: truth.policies.count - (bus.bus.isEnforcing ? 2 : 1)))
            text += line + "\n"
        }
        log("\(name(view)): \(text)")
        return Array(text.utf8)
    }

    /// Subscribes to everything and to something else, then unsubscribes from everything. The turns
    /// may be too few for the unsubscribe, so that the next step happens during it.
    private mutating func leave(_ view: SimulatedView) {
        guard let slot = view.connection.slot, !view.isHalfClosed else { return }
        let all = Pattern.everything
        let joins = [
            (.subscribe(all, only: nil, since: nil), #""op":"subscribe","to":"**""#),
            subscribe(view),
        ]
        view.connection.send(bytes: bytes(of: joins, view))
        let leaving = bytes(of: [(.unsubscribe(all), #""op":"unsubscribe","to":"**""#)], view)
        leaving.withUnsafeBytes { bus.bus.received($0, on: slot) }
        for _ in 0..<Int.random(in: 1..<6, using: &random) { bus.turn() }
    }

    /// Usually handles the lines at once. Sometimes runs only 0 to 3 turns, so that the next step
    /// happens while a long request is handled.
    private mutating func deliver(_ bytes: [UInt8], _ view: SimulatedView) {
        guard let slot = view.connection.slot, Int.random(in: 0..<3, using: &random) == 0 else {
            return view.connection.send(bytes: bytes)
        }
        bytes.withUnsafeBytes { bus.bus.received($0, on: slot) }
        for _ in 0..<Int.random(in: 0..<4, using: &random) { bus.turn() }
    }

    private mutating func request(_ view: SimulatedView) -> (SimulatedRequest.Kind, String) {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<5: subscribe(view)
        case 5..<7: unsubscribe(view)
        case 7: list()
        case 8: get()
        case 9 where !view.hasSaidNonsense: nonsense(view)
        case 10: ping(view)
        default: send(view)
        }
    }

    private func ping(_ view: SimulatedView) -> (SimulatedRequest.Kind, String) {
        view.hasSaidNonsense = false
        return (.other, #""op":"ping""#)
    }

    /// Three bad lines in a row would end the connection.
    private func nonsense(_ view: SimulatedView) -> (SimulatedRequest.Kind, String) {
        view.hasSaidNonsense = true
        return (.other, #""op":"nonsense""#)
    }

    private mutating func pick(_ texts: String...) -> String {
        texts.randomElement(using: &random) ?? ""
    }

    private mutating func subscribe(
        _ view: SimulatedView
    ) -> (SimulatedRequest.Kind, String) {
        let to = pick(
            "part/a", "part/b", "part/*", "**", "echo/e", "echo/*", "bench", "part/c", "bus/views",
            "tally", "tally/b", "tally/*", "tally/**")
        var members = #""op":"subscribe","to":"\#(to)""#
        var only: Set<String>?
        if Int.random(in: 0..<3, using: &random) == 0 {
            only = Set(
                ["left", "items", "appended", "said", "views", "count"].filter { _ in
                    Bool.random(using: &random)
                })
            let names = only?.sorted().map { "\"\($0)\"" }.joined(separator: ",") ?? ""
            members += #","only":[\#(names)]"#
        }
        guard let pattern = Pattern(to) else { return (.other, #""op":"ping""#) }
        let since = since(pattern, view)
        if let since { members += #","since":"\#(since)""# }
        return (.subscribe(pattern, only: only, since: since), members)
    }

    /// A cursor that the client or a closed client had, or a wrong cursor.
    private mutating func since(_ pattern: Pattern, _ view: SimulatedView) -> Cursor? {
        guard let address = pattern.address?.text, Int.random(in: 0..<2, using: &random) == 0 else {
            return nil
        }
        let known = Bool.random(using: &random) ? view.memory[address] : view.heard[address]
        guard let known else { return Cursor(mark: "wrong", seq: 0) }
        let isOdd = Int.random(in: 0..<5, using: &random) == 0
        let seq = isOdd ? max(0, known.seq + Int.random(in: -12..<12, using: &random)) : known.seq
        return Cursor(mark: known.life.mark, seq: seq)
    }

    private mutating func unsubscribe(
        _ view: SimulatedView
    ) -> (SimulatedRequest.Kind, String) {
        let own = view.subscriptions.randomElement(using: &random)?.pattern
        guard let pattern = own ?? Pattern("part/a") else { return (.other, #""op":"ping""#) }
        return (.unsubscribe(pattern), #""op":"unsubscribe","to":"\#(pattern)""#)
    }

    private mutating func list() -> (SimulatedRequest.Kind, String) {
        let to = pick("**", "**", "part/*", "tally/**", "part/a", "*")
        let pattern = Pattern(to) ?? .everything
        return (.list(pattern, alive: truth.alive), #""op":"list","to":"\#(to)""#)
    }

    private mutating func get() -> (SimulatedRequest.Kind, String) {
        let to = pick("part/a", "part/b", "bench", "echo/e", "tally", "tally/b")
        return (.get(to), #""op":"get","to":"\#(to)""#)
    }

    private mutating func send(_ view: SimulatedView) -> (SimulatedRequest.Kind, String) {
        lastItem += 1
        if let keyed = lastKeyed, Int.random(in: 0..<6, using: &random) == 0 {
            return (.send(to: keyed.to, ifSeq: nil, ifDone: nil), keyed.line)
        }
        let part = pick("part/a", "part/a", "part/b", "part/c")
        let (to, event): (String, String) =
            switch Int.random(in: 0..<20, using: &random) {
            case 16..<20: sendToTally()
            case 0..<3: ("bench", #"{"add":{"part":"\#(part.dropFirst(5))"}}"#)
            case 3: ("bench", #"{"remove":{"part":"\#(part.dropFirst(5))"}}"#)
            case 4, 5: ("bench", #"{"tell":{"parts":["b","a","b"],"text":"t\#(lastItem)"}}"#)
            case 6: (pick("echo/e", "echo/f"), #"{"say":{"text":"e\#(lastItem)"}}"#)
            case 7, 8: (part, #"{"set":{"left":\#(lastItem),"right":\#(lastItem)}}"#)
            case 9: (part, #"{"set":{"left":\#(lastItem)}}"#)
            case 10:
                (part, #"{"burst":{"count":\#(Int.random(in: 0..<12, using: &random)),"size":9}}"#)
            case 11, 12: (part, #"{"append":{"item":"i\#(lastItem)"}}"#)
            case 13:
                (
                    part,
                    #"{"later":{"seconds":\#(Int.random(in: 0..<4, using: &random)),"text":"l"}}"#
                )
            case 14:
                (
                    part,
                    Int.random(in: 0..<4, using: &random) == 0
                        ? #""end""# : #"{"say":{"text":"s"}}"#
                )
            default: (part, #"{"say":{"text":"s\#(lastItem)"}}"#)
            }
        var members = #""op":"send","to":"\#(to)","event":\#(event)"#
        var (ifSeq, ifDone): (Int?, Cursor?)
        switch Int.random(in: 0..<8, using: &random) {
        case 2, 3:
            guard let done = view.done[to] else { break }
            ifDone = done
            members += #","ifDone":"\#(done)""#
        case 0:
            ifSeq = truth.alive[to]?.seq ?? 3
            members += #","ifSeq":\#(ifSeq ?? 0)"#
        case 1 where !event.contains("end") && !to.hasPrefix("tally/"):
            members += #","key":"k\#(lastItem)""#
            lastKeyed = (members, to)
        default: break
        }
        return (.send(to: to, ifSeq: ifSeq, ifDone: ifDone), members)
    }

    private mutating func sendToTally() -> (String, String) {
        switch Int.random(in: 0..<7, using: &random) {
        case 3: ("tally", #"{"give":{"_0":"\#(pick("b", "c"))","_1":\#(lastItem)}}"#)
        case 0, 1: ("tally", #"{"open":{"_0":"\#(pick("b", "c", "d", "e"))"}}"#)
        case 2: ("tally", #"{"close":{"_0":"\#(pick("b", "c", "d", "e"))"}}"#)
        default: (pick("tally", "tally", "tally/b", "tally/c"), #"{"add":{"_0":\#(lastItem)}}"#)
        }
    }

    // MARK: Checks

    private mutating func check() {
        truth.read()
        if let found = truth.problem { problem = found }
        for view in views {
            view.read()
            if let found = view.problem { problem = "client \(name(view)): \(found)" }
        }
        for view in views where view.connection.isClosed {
            if !view.isHalfClosed, !view.isTold { problem = "client \(name(view)) was closed" }
            forget(view)
        }
        checkMemory()
    }

    private mutating func checkMemory() {
        let limits = bus.bus.limits
        var (held, unread) = (0, 0)
        for connection in bus.bus.states {
            held += connection.eventBytes
            unread += connection.unreadBytes
            let holdsLittle = connection.hasToDrop || connection.eventBytes <= limits.output
            let isWithin =
                holdsLittle && connection.answerBytes <= limits.output + 8_192
                && connection.catchUpCount <= 40
            if !isWithin { problem = "connection \(connection.number) holds too much" }
        }
        let counted = bus.bus.held
        if held != counted.events || counted.waitingEvents > limits.outputTotal {
            problem = "\(held) bytes are held, and \(counted.events) were counted"
        }
        if unread != bus.bus.held.answers {
            problem = "\(unread) bytes are unread, and \(bus.bus.held.answers) were counted"
        }
    }

    /// All clients read everything, and must know the current state.
    private mutating func end() {
        log("the end")
        for view in views { view.connection.readOn() }
        bus.settle()
        while disk.hasCommits { commit(failsAtTimes: false) }
        bus.advance(by: .seconds(1))
        check()
        guard problem == nil else { return }
        let views = presentViews()
        for view in self.views {
            view.checkCaughtUp(views: views)
            if let found = view.problem { problem = "client \(name(view)): \(found)" }
        }
        checkList()
        for thing in ["tally", "bench"] { checkDone(thing) }
    }

    /// `done` counts each effect once, and no effect of a failed commit.
    private mutating func checkDone(_ thing: String) {
        let answer = answer(to: "get \(thing)")
        let parts = answer.split(separator: "\"")
        guard let key = parts.firstIndex(of: "done"), let done = Cursor(String(parts[key + 2]))
        else {
            problem = "no done: \(answer)"
            return
        }
        let known = truth.done[thing] ?? 0
        let most = known + (truth.unanswered[thing] ?? 0)
        if !(known...most).contains(done.seq) {
            problem = "\(done.seq) effects on \(thing) are counted, not \(known) to \(most)"
        }
    }

    /// Stops the daemon: each reading view gets its gaps, then `bye`, and is closed.
    private mutating func stop() {
        for view in views where Bool.random(using: &random) {
            view.connection.stall(after: Int.random(in: 0..<200, using: &random))
            ask(view)
        }
        advance()
        log("stop")
        for view in views { view.mayBeCut = true }
        bus.bus.stopTaking()
        bus.settle()
        while disk.hasCommits { commit(failsAtTimes: false) }
        bus.stop()
        for view in views { view.connection.readOn() }
        truth.readGoodbye()
        for view in views {
            view.read()
            if let found = view.problem { problem = "client \(name(view)): \(found)" }
            if !view.connection.isClosed { problem = "client \(name(view)) was not closed" }
        }
    }

    /// The one event of `{"ok":{"address":…,"cursor":…,"events":[…]}}`.
    private func presentViews() -> String {
        String(answer(to: "get bus/views").drop { $0 != "[" }.dropFirst().dropLast(3))
    }

    private func answer(to request: String) -> String {
        let connection = bus.connect()
        connection.send(request)
        return connection.takeLines().first ?? ""
    }

    /// `list` has every view model with the number of its views.
    private mutating func checkList() {
        let rows = truth.alive.values.sorted { $0.address < $1.address }.map { life in
            let count = views.count { $0.heard[life.address] != nil } + 1
            let kind = life.address.prefix { $0 != "/" }
            let name = kind == "bus" ? "views" : String(kind)
            return
                #"{"address":"\#(life.address)","kind":"\#(name)","views":\#(count),"#
                + #""seq":\#(life.seq)}"#
        }
        let expected = #"{"ok":{"viewModels":[\#(rows.joined(separator: ","))]}}"#
        let came = answer(to: "list")
        if came != expected { problem = "list: \(came)\nis not \(expected)" }
    }
}
