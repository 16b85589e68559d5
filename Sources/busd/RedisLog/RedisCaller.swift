import CBusdHiredis

/// A connection to Redis that waits for each reply: for the start of a daemon, and for commands.
final class RedisCaller {
    private let context: UnsafeMutablePointer<redisContext>
    private let address: RedisAddress

    private static let seconds = 5

    init(_ address: RedisAddress, seconds: Int = RedisCaller.seconds) throws(HouseError) {
        self.address = address
        let limit = timeval(tv_sec: seconds, tv_usec: 0)
        let context =
            switch address {
            case .unix(let path): redisConnectUnixWithTimeout(path, limit)
            case .tcp(let host, let port):
                redisConnectWithTimeout(host, Int32(port), limit)  // fits: 16 bits
            }
        guard let context else { throw .unreachable("\(address): out of memory") }
        self.context = context
        guard context.pointee.err == 0 else {
            throw .unreachable("\(address): \(String(cString: busd_redis_error(context)))")
        }
        redisSetTimeout(context, timeval(tv_sec: Self.seconds, tv_usec: 0))
    }

    deinit { redisFree(context) }

    func call(_ words: [String]) throws(HouseError) -> RedisValue {
        try call(words.map { Array($0.utf8) })
    }

    func call(_ words: [[UInt8]]) throws(HouseError) -> RedisValue {
        let bytes = words.flatMap { $0 }
        var lengths = words.map(\.count)
        let reply = bytes.withUnsafeBytes { bytes in
            var start = 0
            var pointers: [UnsafePointer<CChar>?] = words.map { word in
                defer { start += word.count }
                let base = bytes.baseAddress.map { $0 + start } ?? UnsafeRawPointer(context)
                return base.assumingMemoryBound(to: CChar.self)
            }
            return redisCommandArgv(context, Int32(clamping: words.count), &pointers, &lengths)
        }
        guard let reply else {
            throw .unreachable("\(address): \(String(cString: busd_redis_error(context)))")
        }
        defer { freeReplyObject(reply) }
        return RedisValue(reply.assumingMemoryBound(to: redisReply.self))
    }

    /// Like `call`, but throws if the reply is an error.
    func run(_ words: [String]) throws(HouseError) -> RedisValue {
        let reply = try call(words)
        if case .error(let text) = reply { throw .refused("Redis refuses: \(text)") }
        return reply
    }
}

package enum HouseError: Error, CustomStringConvertible {
    /// Redis cannot be reached now; it may be later.
    case unreachable(String)
    /// The operation cannot work without a change.
    case refused(String)

    package var description: String {
        switch self {
        case .unreachable(let text), .refused(let text): text
        }
    }
}
