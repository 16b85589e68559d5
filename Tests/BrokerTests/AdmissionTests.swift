import BusdBroker
import BusdProtocol
import Testing

@testable import BusdTestKit

@Suite struct `Connections` {
    private let other = TestBus.owner + 1

    private func bus(connections: Int, perUser: Int? = nil) -> TestBus {
        var limits = Limits()
        limits.connections = connections
        if let perUser { limits.connectionsPerUser = perUser }
        return TestBus.echoes(limits: limits)
    }

    private func connect(
        _ count: Int, _ bus: TestBus, throughViewSocket: Bool = false, user: Int = TestBus.owner
    ) -> [TestConnection] {
        (0..<count).map { _ in bus.connect(throughViewSocket: throughViewSocket, user: user) }
    }

    @Test func `An eighth of all connections is reserved for the control socket`() {
        let bus = bus(connections: 16)
        let views = connect(14, bus, throughViewSocket: true)
        #expect(views.allSatisfy { !$0.isClosed })
        let refused = bus.connect(throughViewSocket: true)
        refused.expect(
            #"{"bye":{"code":"overloaded","message":"too many connections through the view "#
                + #"socket: try again later (limit connectionsReserved)"}}"#)
        #expect(refused.isClosed)
        let controls = connect(2, bus)
        #expect(controls.allSatisfy { !$0.isClosed })
        let last = bus.connect()
        last.expect(
            #"{"bye":{"code":"overloaded","message":"#
                + #""too many connections: try again later (limit connections)"}}"#)
        views[0].disconnect()
        #expect(!bus.connect(throughViewSocket: true).isClosed)
    }

    @Test func `Control connections may take all places`() {
        let bus = bus(connections: 16)
        #expect(connect(16, bus).allSatisfy { !$0.isClosed })
    }

    @Test func `A user may have a quarter of all connections, through both sockets together`() {
        let bus = bus(connections: 16)
        let controls = connect(2, bus, user: other)
        let views = connect(2, bus, throughViewSocket: true, user: other)
        #expect((controls + views).allSatisfy { !$0.isClosed })
        for throughViewSocket in [false, true] {
            let refused = bus.connect(throughViewSocket: throughViewSocket, user: other)
            refused.expect(
                #"{"bye":{"code":"overloaded","message":"your user has 4 connections: close one "#
                    + #"(limit connectionsPerUser)"}}"#)
            #expect(refused.isClosed)
        }
        #expect(!bus.connect(user: other + 1).isClosed)
        views[0].disconnect()
        #expect(!bus.connect(user: other).isClosed)
    }

    @Test(arguments: [0, TestBus.owner])
    func `Connections of root and of the daemon's user are limited by the total alone`(user: Int) {
        let bus = bus(connections: 16)
        #expect(connect(16, bus, user: user).allSatisfy { !$0.isClosed })
    }

    @Test func `A user may have as many connections as is set, up to the total`() {
        #expect(
            connect(8, bus(connections: 16, perUser: 8), user: other).count { $0.isClosed } == 0)
        let bus = bus(connections: 4, perUser: 8)
        let clients = connect(5, bus, user: other)
        #expect(clients.map(\.isClosed) == [false, false, false, false, true])
        _ = clients[4].takeLines()
    }

    @Test(arguments: [(1, 1, 1), (7, 1, 1), (8, 1, 2), (4_096, 512, 1_024)])
    func `The default limits follow from the total`(all: Int, reserved: Int, perUser: Int) {
        var limits = Limits()
        limits.connections = all
        #expect(limits.connectionsReserved == reserved)
        #expect(limits.connectionsPerUser == perUser)
    }

    @Test func `A closed connection is no longer counted`() {
        let bus = bus(connections: 16)
        for _ in 0..<100 {
            let client = bus.connect(throughViewSocket: true, user: other)
            client.send("ping")
            client.expect(#"{"ok":{}}"#)
            client.endInput()
            #expect(client.isClosed)
        }
        #expect(bus.bus.connectionCount == 0)
        #expect(bus.bus.viewConnectionCount == 0)
    }
}
