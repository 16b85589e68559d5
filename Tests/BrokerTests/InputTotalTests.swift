import BusdBroker
import BusdProtocol
import TestSupport
import Testing

@testable import BusdTestKit

@Suite struct `The total of waiting input` {
    private static let limit = 100_000
    private static let refusal = """
        {"error":{"code":"overloaded","message":"unfinished lines have more than 100000 bytes \
        together, and this was one of the longest (limit inputTotal)"}}
        """
    private let bus: TestBus

    init() {
        var limits = Limits()
        limits.inputTotal = Self.limit
        bus = TestBus.lab("a", limits: limits)
    }

    /// A client that has sent `bytes` bytes of an unfinished line.
    private func begun(_ bytes: Int) -> TestConnection {
        let client = bus.connect()
        client.send(bytes: [UInt8](repeating: UInt8(ascii: "#"), count: bytes))
        return client
    }

    @Test func `Unfinished lines may take as much as the limit`() {
        let clients = [begun(50_000), begun(50_000)]
        #expect(bus.bus.held.unfinishedInput == Self.limit)
        // The lines were comments, so they get no answer.
        for client in clients { client.send("", "ping") }
        for client in clients { client.expect(#"{"ok":{}}"#) }
        #expect(bus.bus.held.unfinishedInput == 0)
    }

    @Test func `Over the limit, the longest unfinished line is dropped`() {
        let clients = [begun(20_000), begun(30_000), begun(10_000), begun(31_000), begun(4_096)]
        let last = begun(10_000)
        clients[3].expect(Self.refusal)
        #expect(bus.bus.held.unfinishedInput == 74_096)
        // The rest of a dropped line is ignored, and the next line is handled.
        for client in clients + [last] { client.send("ping", "ping") }
        for client in clients + [last] { client.expect(#"{"ok":{}}"#) }
    }

    @Test func `A short unfinished line is never dropped`() {
        let small = begun(Limits.littleInput)
        let many = (0..<40).map { _ in begun(Limits.littleInput) }
        #expect(bus.bus.held.unfinishedInput == 41 * Limits.littleInput)
        let large = begun(Limits.littleInput + 1)
        large.expect(Self.refusal)
        for client in [small] + many { client.send("", "ping") }
        for client in [small] + many { client.expect(#"{"ok":{}}"#) }
    }

    @Test func `A line that ends in the same turn is not dropped`() {
        let (first, second) = (bus.connect(), begun(60_000))
        // Both inputs arrive before the bus handles either.
        let rest = Array("\nping\n".utf8)
        let begun = [UInt8](repeating: UInt8(ascii: "#"), count: 60_000)
        begun.withUnsafeBytes { bus.bus.received($0, on: first.slot ?? -1) }
        rest.withUnsafeBytes { bus.bus.received($0, on: second.slot ?? -1) }
        bus.settle()
        second.expect(#"{"ok":{}}"#)
        first.expect()
        #expect(bus.bus.held.unfinishedInput == 60_000)
    }

    @Test func `While too much input waits, clients without waiting input are still read`() {
        var clients: [TestConnection] = []
        // The clients do not read, so their requests wait until there is room for answers.
        let lines = Array(String(repeating: "describe part\n", count: 4_000).utf8)
        while bus.bus.held.waitingInput <= Self.limit {
            let client = bus.connect()
            clients.append(client)
            client.stall()
            client.send(bytes: lines)
        }
        let (late, small) = (bus.connect(), begun(10))
        #expect(bus.bus.mostToRead(late.slot ?? 0) == Limits.littleInput)
        late.send(bytes: Array(String(repeating: "#", count: 50_000).utf8))
        // Clients with an unfinished line are still read.
        #expect(late.isRead && small.isRead)
        late.send("", "ping")
        late.expect(#"{"ok":{}}"#)
        for client in clients {
            client.readOn()
            #expect(client.isRead)
            #expect(client.takeLines().count == 4_000)
        }
        #expect(bus.bus.held.waitingInput == 0)
        #expect(bus.bus.mostToRead(0) == Limits.turnBytes)
        _ = small
    }

    @Test func `Unfinished input is counted exactly and bounded under random input`() {
        var random = SeededGenerator(seed: 7)
        var clients = (0..<20).map { _ in bus.connect() }
        for _ in 0..<3_000 {
            let place = clients.indices.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                clients[place].disconnect()
                _ = clients[place].takeLines()
                clients[place] = bus.connect()
            case 1...4: clients[place].send("", "ping")
            default:
                let size = Int.random(in: 1...30_000, using: &random)
                clients[place].send(bytes: [UInt8](repeating: UInt8(ascii: "#"), count: size))
            }
            let unfinished = bus.bus.states.reduce(0) { $0 + $1.unfinishedInput }
            #expect(bus.bus.held.unfinishedInput == unfinished)
            #expect(unfinished <= Self.limit)
            #expect(bus.bus.held.waitingInput == 0)
        }
        for client in clients {
            _ = client.takeLines()
            client.send("", "ping")
            #expect(client.takeLines().last == #"{"ok":{}}"#)
        }
    }
}
