import BusdBroker
import BusdHosting
import BusdProtocol
import BusdTestKit
import Testing

@Suite struct `Permissions` {
    @Test(arguments: DoorAct.allCases, [7])
    func `A control connection is allowed, shown and refused what the table has`(
        act: DoorAct, user: Int
    ) throws {
        try check(act, DoorClient(isView: false, user: user), DoorTable.control)
    }

    @Test(arguments: DoorAct.allCases, [0, TestBus.owner])
    func `An administrator is allowed, shown and refused what the table has`(
        act: DoorAct, user: Int
    ) throws {
        try check(act, DoorClient(isView: false, user: user), DoorTable.administrator)
    }

    @Test(arguments: DoorAct.allCases, [7, 0, TestBus.owner])
    func `A view connection is allowed, shown and refused what the table has`(
        act: DoorAct, user: Int
    ) throws {
        try check(act, DoorClient(isView: true, user: user), DoorTable.view)
    }

    /// Users 7 and 9 have this right at the view models of the table, and may use the keeper.
    private func policy(_ right: Policy.Right) throws -> Policy {
        let keeper = try #require(Pattern("keeper"))
        let subjects = try #require(Pattern("*/morning"))
        return Policy([
            Policy.Rule(line: 1, .everybody, .send, keeper),
            Policy.Rule(line: 2, .user(7), right, subjects),
            Policy.Rule(line: 3, .group(9), right, subjects),
            Policy.Rule(line: 4, .everybody, .send, .everything),
        ])
    }

    @Test(arguments: DoorAct.allCases, [false, true])
    func `A view model that a policy hides is as if it were not there`(
        act: DoorAct, isView: Bool
    ) throws {
        let client = DoorClient(isView: isView, user: 7, policy: try policy(.nothing))
        try check(act, client, isView ? DoorTable.hiddenView : DoorTable.hidden)
    }

    @Test(arguments: DoorAct.allCases, [false, true])
    func `A user who may only look is shown what the table has`(
        act: DoorAct, isView: Bool
    ) throws {
        let client = DoorClient(isView: isView, user: 7, policy: try policy(.look))
        try check(act, client, isView ? DoorTable.view : DoorTable.look)
    }

    @Test(arguments: DoorAct.allCases)
    func `A user who may send is allowed what the table without a policy has`(
        act: DoorAct
    ) throws {
        let client = DoorClient(isView: false, user: 7, policy: try policy(.send))
        try check(act, client, DoorTable.control)
    }

    @Test(arguments: DoorAct.allCases, [Policy.Right.nothing, .look, .send])
    func `No policy restricts an administrator, and none makes one`(
        act: DoorAct, right: Policy.Right
    ) throws {
        for user in [0, TestBus.owner] {
            let all = Policy(
                [Policy.Rule(line: 1, .user(user), right, .everything)]
                    + [Policy.Rule(line: 2, .everybody, .send, .everything)])
            let client = DoorClient(isView: false, user: user, policy: all)
            try check(act, client, DoorTable.administrator)
        }
        let open = Policy([Policy.Rule(line: 1, .user(8), .send, .everything)])
        try check(act, DoorClient(isView: false, user: 8, policy: open), DoorTable.control)
        try check(act, DoorClient(isView: true, user: 8, policy: open), DoorTable.view)
    }

    @Test func `A hidden kind does not hide the view model that has its name as address`() {
        let keep = Keep()
        let bus = TestBus { host in
            keep.host = host
            host.register(KeeperViewModel.self, services: keep)
            host.register(OpenViewModel<PlainKind>.self, services: keep)
            host.register(HiddenViewModel<SecretKind>.self, services: keep)
            keep.kinds = ["plain": PlainKind.self]
        }
        bus.connect().send(#"send keeper add {"kind":"plain","at":"secret"}"#)
        let administrator = bus.connect()
        administrator.send("describe secret")
        administrator.expect(#"{"ok":{"kind":"secret",…}}"#)
        let stranger = bus.connect(user: 7)
        stranger.send("describe secret")
        stranger.expect(#"{"ok":{"kind":"plain",…}}"#)
    }

    @Test func `A send to a hidden view model does not wait for the pending sends of others`() {
        let log = TestLog()
        let bus = TestBus(log: log) {
            $0.register(HiddenTally.self, services: TallyServices($0))
        }
        let administrator = bus.connect()
        let line = #"{"op":"send","to":"tally","event":{"add":{"_0":1}},"id":1}"#
        administrator.send(line)
        administrator.expectNothing()
        let stranger = bus.connect(user: 7)
        stranger.send(line)
        stranger.expect(
            #"{"error":{"code":"unknownViewModel","message":"there is no view model tally"},"id":1}"#
        )
        log.succeed()
        bus.logReported()
        administrator.expect(#"{"ok":{"changed":true},"id":1}"#)
    }

    /// Compares one row of a table.
    private func check(_ act: DoorAct, _ client: DoorClient, _ table: String) throws {
        let lines = table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines.first == DoorSubject.allCases.map(\.rawValue))
        #expect(lines.dropFirst().map { $0.first } == DoorAct.allCases.map(\.rawValue))
        let row = try #require(lines.first { $0.first == act.rawValue })
        #expect(row.count == lines[0].count + 1)
        for (subject, expected) in zip(DoorSubject.allCases, row.dropFirst()) {
            let found = DoorFixture.verdict(on: act, of: client, on: subject)
            #expect(found.symbol == expected, "\(subject): \(found.lines)")
        }
    }
}

/// An administrative view model. Each event waits for the outcome of the one before.
private final class HiddenTally: DurableViewModel, AdministrativeViewModel {
    typealias Kind = Tally
    static let placement = Placement.fixed(.literal("tally"))
    static let awaitsOutcomes = true

    let output = Output<Tally.ViewModelEvent>()
    private let world: TallyServices

    init(at address: Address, services: TallyServices) { world = services }

    var subject: Subject { world.library.subject }

    func handle(event: Tally.ViewEvent) {
        if case .add(let number) = event {
            world.library.propose(.add(number), to: TallyCount.whole)
        }
    }
}
