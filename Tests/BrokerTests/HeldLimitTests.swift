@testable import BusdBroker
import BusdHosting
import BusdProtocol
@testable import BusdTestKit
import BusdViewModels
import Testing

/// A disk that stands still does not fill the memory, and does not keep the loop busy later.
@Suite struct `What waits for the disk` {
    let disk = TallyDisk()
    let bus: TestBus

    init() {
        bus = .tally(on: disk) { $0.register(EchoForTests.self) }
    }

    private func succeed() {
        disk.succeed()
        bus.committed()
    }

    private func add(_ id: Int) -> String {
        #"{"op":"send","to":"tally","event":{"add":{"_0":1}},"id":\#(id)}"#
    }

    private func held(_ client: TestConnection) -> Int {
        client.slot.map { bus.bus.connections[$0].held } ?? 0
    }

    @Test func `is bounded for each connection, and another is not held up`() {
        let (greedy, other) = (bus.connect(), bus.connect())
        for id in 0..<500 { greedy.send(add(id)) }
        #expect(held(greedy) == Held.mostOfOne)
        other.send(add(1_000))
        #expect(held(other) == 1)
        let third = bus.connect()
        third.send("ping")
        third.expect(#"{"ok":{}}"#)

        var answers: [String] = []
        var landings = 0
        while !bus.bus.held.isEmpty {
            #expect(held(greedy) <= Held.mostOfOne)
            succeed()
            answers += greedy.takeLines()
            landings += 1
        }
        #expect(answers.count == 500)
        for (id, answer) in answers.enumerated() { #expect(answer.hasSuffix(#""id":\#(id)}"#)) }
        #expect(landings >= 4)
        #expect(other.takeLines().count == 1)
        #expect(disk.counts[.literal("tally")] == 501)
    }

    @Test func `is bounded for all together`() {
        let crowd = (0..<60).map { _ in bus.connect() }
        for client in crowd { for id in 0..<64 { client.send(add(id)) } }
        #expect(bus.bus.held.isFull)
        let first = crowd.reduce(0) { $0 + held($1) }
        // Each is 256 bytes and what it says.
        #expect(first * 256 <= 1 << 20)
        #expect(first > 1_000)
        let late = bus.connect()
        late.send(add(0))
        #expect(held(late) == 0)
        late.send("ping")
        late.expectNothing()
        let other = bus.connect()
        other.send("ping")
        other.expect(#"{"ok":{}}"#)

        var answers = 0
        while !bus.bus.held.isEmpty {
            succeed()
            answers += crowd.reduce(0) { $0 + $1.takeLines().count }
        }
        #expect(answers == 3_840)
        #expect(late.takeLines().count == 2)
        #expect(disk.counts[.literal("tally")] == 3_841)
    }

    @Test func `is refused as a whole, and what waited behind it is not`() {
        let greedy = bus.connect()
        for id in 0..<300 { greedy.send(add(id)) }
        bus.committed(successfully: false)
        let refused = greedy.takeLines()
        #expect(refused.count == Held.mostOfOne)
        #expect(refused.allSatisfy { $0.contains("unavailable") })
        while !bus.bus.held.isEmpty { succeed() }
        #expect(greedy.takeLines().count == 300 - Held.mostOfOne)
        #expect(disk.counts[.literal("tally")] == 300 - Held.mostOfOne)
    }

    // MARK: What somebody needs to know

    @Test func `keeps nobody for longer than the commit they need to know of`() {
        let disk = DraftDisk()
        let bus = TestBus(clockedByHand: true, journal: disk) { host in
            host.register(GameCreatorViewModel.self, services: disk)
            host.register(
                GamesViewModel.self, services: GamesOnly(games: disk.games, directory: host))
        }
        let (writer, keeper, retrying, other) = (
            bus.connect(), bus.connect(), bus.connect(), bus.connect()
        )
        for number in 0..<10 {
            let draft = "game-creator/d\(number)"
            for line in [DraftTests.Sort.game.name("A", of: draft)]
                + DraftTests.Sort.game.rest(of: draft)
            {
                writer.send(line)
            }
        }
        func make(_ number: Int) {
            writer.send(DraftTests.Sort.game.make("game-creator/d\(number)", id: number))
        }
        let team = #"{"name":"T","players":["a","b","c"]}"#
        let create =
            #"{"op":"send","to":"games","event":{"createGame":{"home":\#(team),"away":\#(team)}}"#
        make(0)
        keeper.send(create + #","key":"k","id":1}"#)
        retrying.send(create + #","key":"k","id":2}"#)
        other.send(create + #","id":3}"#)
        for number in 1...5 {
            make(number)
            disk.succeed()
            bus.committed()
            // Something is always held.
            #expect(!bus.bus.held.isEmpty)
        }
        keeper.expect(#"{"ok":{"changed":false},"id":1}"#)
        retrying.expect(#"{"ok":{"changed":false,"duplicate":true},"id":2}"#)
        other.expect(#"{"ok":{"changed":false},"id":3}"#)
        #expect(writer.takeLines().allSatisfy { $0.hasPrefix(#"{"ok":{"#) })
    }

    @Test func `keeps others waiting a few times only where it is overtaken`() {
        let disk = TallyDisk()
        let bus = TestBus.tally(on: disk) { $0.register(TapViewModel.self, services: disk) }
        let (tapper, insisting, other) = (bus.connect(), bus.connect(), bus.connect())
        func tap() { tapper.send("send tap tap") }
        tap()
        insisting.send(
            #"{"op":"send","to":"tally","event":{"add":{"_0":1}},"ifSeq":0,"id":"i"}"#)
        other.send(#"{"op":"send","to":"tally","event":{"add":{"_0":1}},"id":"o"}"#)
        var rounds = 0
        var answer: [String] = []
        while answer.isEmpty, rounds < 20 {
            tap()
            disk.succeed()
            bus.committed()
            answer = other.takeLines()
            rounds += 1
        }
        #expect((2...10).contains(rounds))
        #expect(answer.count == 1 && answer[0].hasSuffix(#""id":"o"}"#))
        insisting.expectNothing()
        while !bus.bus.held.isEmpty {
            disk.succeed()
            bus.committed()
        }
        insisting.expect(#"{"error":{"code":"stale",…"id":"i"}"#)
    }
}

/// Changes what is durable without being so, as a draft does, and says nothing.
private enum Tap: ViewModelKind {
    static let name = "tap"

    enum ViewEvent: WireEvent {
        case tap
        static let examples: [Self] = [.tap]
    }

    enum ViewModelEvent: WireEvent {
        case tapped
        static let examples: [Self] = [.tapped]
    }
}

private final class TapViewModel: HostedViewModel {
    typealias Kind = Tap
    static let placement = Placement.fixed(.literal("tap"))

    let output = Output<Tap.ViewModelEvent>()
    private let disk: TallyDisk

    init(at address: Address, services: TallyDisk) { disk = services }

    func start() {}

    func handle(event: Tap.ViewEvent) {
        let tally = Address.literal("tally")
        disk.set(tally, (disk.counts[tally] ?? 0) + 1)
        disk.shows[tally]?()
    }
}

private struct GamesOnly: HasGames, HasDirectory {
    let games: any GamesService
    let directory: any Directory
}
