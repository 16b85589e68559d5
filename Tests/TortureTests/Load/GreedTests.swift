import BusdClient
import BusdProtocol
import TestSupport
import Testing

extension Torture {
    /// Clients that use as much as they can. `make siege` measures the cost for other clients.
    @Suite(.serialized) struct GreedTests {
        private let folder: Folder

        init() throws { folder = try Folder() }

        @Test func `A client that pipelines is answered in order and delays no other`() throws {
            let daemon = try DaemonFixture.inMemory(in: folder)
            let witness = try Witness(at: daemon)
            let client = try daemon.connect()
            let count = Torture.isLong ? 1_000_000 : 10_000
            var requests = Requests(count) { #"{"op":"ping","id":\#($0)}"# }
            for number in 0..<count {
                if number.isMultiple(of: 100) {
                    requests.offer(to: client)
                    try witness.exchange()
                }
                while try !client.hasLine() { requests.offer(to: client) }
                guard case .ok(_, .integer(number)) = try client.takeLine() else {
                    Issue.record("\(number) is not answered in its turn")
                    return
                }
            }
            daemon.stop()
        }

        @Test func `A client that does not read is not read from, and is answered once it reads`()
            throws
        {
            let daemon = try DaemonFixture.inMemory(in: folder)
            let witness = try Witness(at: daemon)
            let clients = try (0..<2).map { _ in try daemon.connect() }
            for client in clients {
                var requests = Requests(1_000_000, Self.help)
                let taken = try fill(client, &requests, beside: witness)
                // All bytes that wait in both directions, in the daemon and in the kernel.
                #expect(taken < 2 << 20, "it is read from")
                for number in 0..<requests.taken {
                    guard case .ok(_, .integer(number)) = try client.line() else {
                        Issue.record("\(number) is not answered in its turn")
                        return
                    }
                }
                try witness.exchange()
            }
            daemon.stop()
        }

        @Test func `A client that ends with both directions full leaves no descriptor`() throws {
            let daemon = try DaemonFixture.inMemory(in: folder)
            let witness = try Witness(at: daemon)
            let before = daemon.descriptors
            for _ in 0..<2 {
                let client = try daemon.connect()
                var requests = Requests(1_000_000, Self.help)
                _ = try fill(client, &requests, beside: witness)
            }
            try witness.exchange { daemon.descriptors == before }
            daemon.stop()
        }

        @Test func `A line that is too long is refused, and its connection goes on`() throws {
            let daemon = try DaemonFixture.inMemory(in: folder)
            let witness = try Witness(at: daemon)
            let clients = try (0..<20).map { _ in try daemon.connect() }
            let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 16)
            for client in clients {
                var left = 1 << 20
                while left > 0 {
                    left -= client.offer(piece.prefix(left))
                    try witness.exchange()
                }
            }
            for client in clients {
                guard case .refusal(let error, _) = try client.line(), error.code == .tooLong else {
                    Issue.record("the line was not too long")
                    return
                }
                // The end of the long line, and then a normal request.
                try client.send("\nping")
                #expect(try client.answer()?.isDone == true)
            }
            daemon.stop()
        }

        /// A request that is as long as its answer, so that a few requests fill both directions.
        private static func help(_ number: Int) -> String {
            let padding = String(repeating: "a", count: 2_000)
            return #"{"op":"help","x-padding":"\#(padding)","id":\#(number)}"#
        }

        /// Offers requests until none are taken any more. Returns the number of bytes taken.
        private func fill(
            _ client: Client, _ requests: inout Requests, beside witness: Witness
        ) throws -> Int {
            var (taken, refusals) = (0, 0)
            while refusals < 20 {
                let count = requests.offer(to: client)
                taken += count
                refusals = count == 0 ? refusals + 1 : 0
                try witness.exchange()
            }
            return taken
        }
    }
}
