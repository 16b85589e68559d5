import Glibc
import Measures
import Writers

/// The function of Redis that appends an entry, called by sixteen clients without a daemon.
/// `redis-benchmark` cannot call it, because each call needs a number that counts the calls of its
/// client.
struct Function {
    private let clients: [Client]
    private var calls = [Int](repeating: 0, count: 16)
    private let entry =
        #"{"kind":"game","id":"1","key":"0123456789abcdef"}"# + "\n"
        + #"{"move":{"_0":{"foul":{"_0":{"side":"home","number":1}}}}}"#

    init(_ redis: Redis) {
        clients = (0..<16).compactMap { _ in Client(redis.socket) }
        let chain = String(repeating: "0", count: 16)
        Self.call(
            clients[0], "busd_2_found", "4", "b:head", "b:log", "b:origins", "b:digests", "x", "0",
            "1", chain, "", "")
        _ = clients[0].readOnce()
    }

    private static func call(_ client: Client, _ words: String...) {
        var text = "*\(words.count + 1)\r\n$5\r\nFCALL\r\n"
        for word in words { text += "$\(word.utf8.count)\r\n\(word)\r\n" }
        client.send(Array(text.utf8))
    }

    private mutating func next(_ index: Int) {
        calls[index] += 1
        Self.call(
            clients[index], "busd_2_append", "3", "b:head", "b:log", "b:origins", "x",
            "origin-\(index)", "\(calls[index])", "", entry)
    }

    /// Returns calls per second.
    mutating func run(seconds: Double) -> Double {
        let start = Clock.now
        for index in clients.indices { next(index) }
        var polls = clients.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        var (open, done) = (clients.count, 0)
        while open > 0 {
            poll(&polls, nfds_t(polls.count), -1)
            let isOver = Clock.now - start > seconds
            for index in polls.indices where polls[index].revents != 0 {
                let reply = clients[index].readOnce()
                if !reply.starts(with: "*2\r\n$2\r\nok".utf8) {
                    stop("the function: \(String(decoding: reply, as: UTF8.self))")
                }
                done += 1
                if isOver { open -= 1 } else { next(index) }
            }
        }
        return Double(done) / (Clock.now - start)
    }
}
