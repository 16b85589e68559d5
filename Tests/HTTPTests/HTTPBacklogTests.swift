import BusdEventLoop
import BusdProtocol
import TestSupport
import Testing

@testable import BusdHTTP

/// Connections that wait to be served: a client with many of them delays only its own.
@Suite struct HTTPBacklogTests {
    private func all(_ backlog: inout HTTPBacklog<String, Int>) -> [Int] {
        var all: [Int] = []
        while let next = backlog.next() { all.append(next) }
        return all
    }

    @Test func `Each client is served once in a round`() {
        var backlog = HTTPBacklog<String, Int>(9)
        for number in 1...4 { #expect(backlog.add(number, of: "crowd") == nil) }
        #expect(backlog.add(5, of: "phone") == nil)
        #expect(backlog.add(6, of: "phone") == nil)
        #expect(backlog.add(7, of: "other") == nil)
        #expect(all(&backlog) == [1, 5, 7, 2, 6, 3, 4])
        #expect(backlog.count == 0)
    }

    @Test func `A client that was served waits for the next round`() {
        var backlog = HTTPBacklog<String, Int>(9)
        for number in 1...2 { #expect(backlog.add(number, of: "crowd") == nil) }
        #expect(backlog.add(3, of: "other") == nil)
        #expect(backlog.next() == 1)
        #expect(backlog.add(4, of: "phone") == nil)
        #expect(backlog.next() == 3)
        #expect(backlog.add(5, of: "other") == nil)
        #expect(all(&backlog) == [4, 2, 5])
        // Nothing is left of the rounds before.
        #expect(backlog.add(6, of: "other") == nil)
        #expect(backlog.add(7, of: "crowd") == nil)
        #expect(all(&backlog) == [6, 7])
    }

    @Test func `A client with the most connections loses its newest one`() {
        var backlog = HTTPBacklog<String, Int>(3)
        for number in 1...3 { #expect(backlog.add(number, of: "crowd") == nil) }
        #expect(backlog.add(4, of: "crowd") == 4)
        #expect(backlog.add(5, of: "phone") == 3)
        #expect(backlog.add(6, of: "other") == 2)
        // All have the same share.
        #expect(backlog.add(7, of: "late") == 7)
        #expect(backlog.next() == 1)
        #expect(backlog.add(8, of: "crowd") == nil)
        #expect(backlog.add(9, of: "late") == 8)
        #expect(all(&backlog) == [5, 6, 9])
        #expect(backlog.count == 0)
    }

    @Test func `Without a place, each connection loses its own`() {
        var backlog = HTTPBacklog<String, Int>(0)
        #expect(backlog.add(1, of: "phone") == 1)
        #expect(backlog.add(2, of: "phone") == 2)
        #expect(backlog.next() == nil)
    }

    private func connect(
        _ count: Int, to trial: HTTPFixture, from host: UInt32, asking path: String
    ) throws -> [TestClient] {
        try (0..<count).map { _ in
            let client = try trial.connect(from: host)
            client.send(get(path, "Connection: close"))
            return client
        }
    }

    @Test func `A client is served before a crowd that came earlier`() throws {
        let trial = try HTTPFixture()
        let crowd = try connect(100, to: trial, from: 2, asking: "/crowd")
        let phone = try connect(1, to: trial, from: 3, asking: "/phone")
        try trial.wait { (crowd + phone).allSatisfy(\.isEnded) }
        #expect((crowd + phone).allSatisfy { $0.status == 200 })
        #expect(trial.handled.count == 101)
        let place = try #require(trial.handled.firstIndex { $0.path.isExactly("/phone") })
        #expect(place < HTTPLimits.portion)
    }

    @Test func `When the backlog is full, connections of the crowd are closed unanswered`() throws {
        let trial = try HTTPFixture(backlog: 16)
        let crowd = try connect(40, to: trial, from: 2, asking: "/crowd")
        let phone = try connect(1, to: trial, from: 3, asking: "/phone")
        try trial.wait { (crowd + phone).allSatisfy(\.isEnded) }
        #expect(phone[0].status == 200)
        #expect(crowd.prefix(15).allSatisfy { $0.status == 200 })
        #expect(crowd.dropFirst(15).allSatisfy { $0.bytes.isEmpty })
        #expect(trial.handled.count == 16)
    }

    @Test func `A server that stops closes the connections that wait`() throws {
        let trial = try HTTPFixture()
        let clients = try connect(100, to: trial, from: 2, asking: "/")
        trial.loop.turn(block: true)
        trial.stop()
        try trial.wait { clients.allSatisfy(\.isEnded) }
        #expect(trial.handled.count < 100)
    }
}
