import BusdEventLoop
import BusdProtocol
import Glibc

/// A connection to Redis that waits for each reply: for the start of a daemon, and for commands.
final class RedisCaller {
    private let stream: RedisStream
    private let address: RedisAddress
    /// Milliseconds of the monotonic clock after which no call waits.
    private let end: Int

    /// Milliseconds that a call may take.
    private static let mostOfCall: Int = 5_000

    /// - Parameter seconds: how long all calls together may take.
    init(_ address: RedisAddress, seconds: Int = 60) throws(HouseError) {
        self.address = address
        end = MonotonicClock.milliseconds + 1_000 * seconds  // fits: the caller names minutes
        do throws(HouseError) {
            stream = try RedisStream(address)
        } catch {
            throw .unreachable("\(address): \(error)")
        }
    }

    func call(_ words: [String]) throws(HouseError) -> RedisValue {
        try call(words.map { Array($0.utf8) })
    }

    /// - Parameter mostOfReply: bytes of memory. A larger reply is an error.
    func call(
        _ words: [[UInt8]], mostOfReply: Int = RedisStream.mostOfReply
    ) throws(HouseError) -> RedisValue {
        let end = min(self.end, MonotonicClock.milliseconds + Self.mostOfCall)
        stream.append(words)
        while true {
            stream.write()
            while stream.read() {
                if let reply = stream.nextReply(most: mostOfReply) { return reply }
                guard MonotonicClock.milliseconds < end else { break }
            }
            if let problem = stream.problem { throw .unreachable("\(address): \(problem)") }
            let rest = end - MonotonicClock.milliseconds
            guard rest > 0 else { throw .unreachable("\(address): Redis does not answer in time") }
            Wait.forReady(
                stream.descriptor, isWriting: stream.hasOutput, milliseconds: Int32(clamping: rest))
        }
    }

    /// Like `call`, but throws if the reply is an error.
    func run(
        _ words: [String], mostOfReply: Int = RedisStream.mostOfReply
    ) throws(HouseError) -> RedisValue {
        let reply = try call(words.map { Array($0.utf8) }, mostOfReply: mostOfReply)
        if case .error(let text) = reply { throw .refused("Redis refuses: \(text.clipped)") }
        return reply
    }
}

package enum HouseError: Error, CustomStringConvertible {
    /// Redis cannot be reached now; it may be later.
    case unreachable(String)
    /// The operation cannot work without a change.
    case refused(String)
    /// The states of the house cannot be loaded, for this reason.
    case unusable(String)

    package var description: String {
        switch self {
        case .unreachable(let text), .refused(let text): text
        case .unusable(let text): "the states of the house are not loaded: \(text)"
        }
    }
}
