import CBusdHiredis

/// A socket to Redis that never waits: calls in bytes, and replies of limited size.
final class RedisStream {
    private let context: UnsafeMutablePointer<redisContext>
    private let budget: UnsafeMutablePointer<busd_redis_budget>
    /// Why the connection is of no more use.
    private(set) var problem: String?
    /// Bytes wait to be written.
    private(set) var hasOutput = false

    /// Bytes of memory of a reply, unless the call has another limit: a few entries.
    static let mostOfReply = 5 << 20
    /// Bytes of memory of a reply with entries: four of the largest.
    static let mostOfEntries = 18 << 20
    /// Bytes of memory of a portion of states, which may have one large state.
    static let mostOfStates = 16 << 20

    /// - Throws: `unreachable` if no connection can be begun. It may still fail later.
    init(_ address: RedisAddress) throws(HouseError) {
        let context =
            switch address {
            case .unix(let path): redisConnectUnixNonBlock(path)
            case .tcp(let host, let port):
                redisConnectNonBlock(host, Int32(port))  // fits: 16 bits
            }
        guard let context else { throw .unreachable("out of memory") }
        guard context.pointee.err == 0, let budget = busd_redis_limit(context) else {
            let reason = String(cString: busd_redis_error(context))
            redisFree(context)
            throw .unreachable(reason)
        }
        if case .tcp = address { redisEnableKeepAlive(context) }
        (self.context, self.budget) = (context, budget)
    }

    deinit {
        redisFree(context)
        free(budget)
    }

    var descriptor: Int32 { context.pointee.fd }

    func append(_ words: [[UInt8]]) {
        let bytes = words.flatMap { $0 }
        var lengths = words.map(\.count)
        let status = bytes.withUnsafeBytes { bytes in
            var start = 0
            var pointers: [UnsafePointer<CChar>?] = words.map { word in
                defer { start += word.count }
                let base = bytes.baseAddress.map { $0 + start } ?? UnsafeRawPointer(context)
                return base.assumingMemoryBound(to: CChar.self)
            }
            return redisAppendCommandArgv(
                context, Int32(clamping: words.count), &pointers, &lengths)
        }
        if noteProblem(status) { hasOutput = true }
    }

    /// Writes what the socket takes.
    func write() {
        guard hasOutput, problem == nil else { return }
        var isDone: Int32 = 0
        if noteProblem(redisBufferWrite(context, &isDone)) { hasOutput = isDone == 0 }
    }

    /// Reads at most 16 KiB. Returns false if there was nothing to read.
    func read() -> Bool {
        guard problem == nil else { return false }
        let before = busd_redis_unread(context)
        return noteProblem(redisBufferRead(context)) && busd_redis_unread(context) > before
    }

    /// The next reply that has arrived; `nil`: none is complete, or there is a problem.
    ///
    /// - Parameter most: bytes of memory that the reply may take.
    func nextReply(most: Int) -> RedisValue? {
        guard problem == nil else { return nil }
        budget.pointee.most = most
        var reply: UnsafeMutableRawPointer?
        guard noteProblem(redisGetReplyFromReader(context, &reply)) else { return nil }
        guard let reply else {
            if busd_redis_unread(context) > most - min(most, budget.pointee.used) {
                problem = Self.tooLarge
            }
            return nil
        }
        budget.pointee.used = 0
        defer { freeReplyObject(reply) }
        return RedisValue(reply.assumingMemoryBound(to: redisReply.self))
    }

    static let tooLarge = "a reply of Redis is too large"

    /// Returns whether there is no problem.
    private func noteProblem(_ status: Int32) -> Bool {
        guard status != REDIS_OK else { return true }
        problem =
            context.pointee.err == REDIS_ERR_OOM
            ? Self.tooLarge : String(cString: busd_redis_error(context))
        return false
    }
}
