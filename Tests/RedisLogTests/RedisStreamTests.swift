import BusdEventLoop
import Glibc
import TestSupport
import Testing

@testable import BusdRedisLog

/// Replies of a server that is not Redis.
@Suite struct RedisStreamTests {
    private let folder: Folder
    private let loop: Loop

    init() throws {
        folder = try Folder()
        loop = try Loop()
        signal(SIGPIPE, SIG_IGN)
    }

    private final class Arrivals {
        var sockets: [Descriptor] = []
    }

    /// A connection whose server sends these bytes, as far as they are read, and closes it. Returns
    /// the replies that were read, and the problem at the end.
    private func replies(
        to bytes: [UInt8], most: Int, from listener: (UnixListener, Arrivals)
    ) throws -> (replies: [RedisValue], problem: String?) {
        let stream = try RedisStream(.unix(path: folder("socket")))
        while listener.1.sockets.isEmpty { loop.turn(block: true) }
        let server = listener.1.sockets.removeLast()
        var rest = bytes[...]
        var replies: [RedisValue] = []
        while stream.problem == nil {
            if rest.isEmpty {
                server.shutDownOutput()
            } else if case .bytes(let count) = rest.withUnsafeBytes({ server.write($0) }) {
                rest = rest.dropFirst(count)
            }
            while stream.read() {
                while let reply = stream.nextReply(most: most) { replies.append(reply) }
            }
        }
        return (replies, stream.problem)
    }

    private func listen() throws -> (UnixListener, Arrivals) {
        let arrivals = Arrivals()
        let listener = try UnixListener(loop: loop, path: folder("socket"), mode: 0o600) {
            if case .accepted(let client, _) = $0 { arrivals.sockets.append(client) }
        }
        return (listener, arrivals)
    }

    private static let closed = "Server closed the connection"

    @Test(arguments: [
        ("$9223372036854775807\r\n", "a", 1 << 20), ("*2147483647\r\n", "", 0),
        ("*1000000\r\n", ":1\r\n", 100_000), ("+", "a", 1 << 20), ("$1000000\r\n", "", 0),
    ])
    func `A reply above its limit ends the connection`(
        head: String, part: String, count: Int
    ) throws {
        let text = head + String(repeating: part, count: count)
        let (replies, problem) = try replies(
            to: Array("+OK\r\n\(text)\(text)".utf8), most: 100_000, from: listen())
        #expect(replies == [.text(Array("OK".utf8))])
        let isEndOfInput = problem == Self.closed && text == "$1000000\r\n"
        #expect(problem == RedisStream.tooLarge || isEndOfInput)
    }

    @Test func `Each reply has its own limit`() throws {
        let text = "$60000\r\n" + String(repeating: "a", count: 60_000) + "\r\n*1\r\n:7\r\n"
        let all = String(repeating: text, count: 3)
        let (replies, problem) = try replies(to: Array(all.utf8), most: 100_000, from: listen())
        #expect(replies.count == 6)
        #expect(replies.last == .list([.number(7)]))
        #expect(problem == Self.closed)
    }

    @Test func `Changed replies are read or refused`() throws {
        var random = Mutations(seed: 4)
        let rounds = testSetting("BUSD_HOUSE_MUTATIONS") ?? 100
        let reply = Array(
            "*3\r\n*2\r\n$4\r\n0abc\r\n:17\r\n$-1\r\n*1\r\n*2\r\n$4\r\n17-0\r\n*2\r\n+e\r\n$2\r\n{}\r\n"
                .utf8)
        let listener = try listen()
        var problems: Set<String> = []
        var read = 0
        for _ in 0..<rounds {
            let changed = random.change(random.change(reply))
            let (replies, problem) = try replies(to: changed, most: 10_000, from: listener)
            read += replies.count
            problems.insert(problem ?? "")
        }
        #expect(read > 0)
        #expect(problems.contains(Self.closed) && problems.count > 1)
    }

    @Test func `A call ends in time, whatever the server sends`() throws {
        let (listener, arrivals) = try listen()
        let caller = try RedisCaller(.unix(path: folder("socket")), seconds: 0)
        while arrivals.sockets.isEmpty { loop.turn(block: true) }
        _ = Array("$100\r\nab".utf8).withUnsafeBytes { arrivals.sockets[0].write($0) }
        #expect(throws: HouseError.self) { try caller.run(["PING"]) }
        withExtendedLifetime(listener) {}
    }

    @Test func `A reply without a call ends the connection`() throws {
        let (listener, arrivals) = try listen()
        let connection = RedisConnection(.unix(path: folder("socket")), loop)
        while arrivals.sockets.isEmpty { loop.turn(block: true) }
        var reply: RedisValue?
        connection.call(["PING"]) { reply = $0 }
        _ = Array("+PONG\r\n+PONG\r\n".utf8).withUnsafeBytes { arrivals.sockets[0].write($0) }
        while connection.isOpen {
            loop.turn(block: true)
            connection.attend()
        }
        #expect(reply == .text(Array("PONG".utf8)))
        #expect(connection.problem == "Redis sent a reply without a call")
        withExtendedLifetime(listener) {}
    }
}
