import BusdEventLoop
import CBusdHiredis

/// A connection to Redis on the loop. It is served in `attend`, once per turn.
///
/// hiredis holds this object while the connection is open, so the owner must call `close`.
final class RedisConnection {
    private var context: UnsafeMutablePointer<redisAsyncContext>?
    private var event: DescriptorEvent?
    /// The events that hiredis waits for, and the events that have happened.
    private var wanted: DescriptorEvent.Interest = []
    private var ready: DescriptorEvent.Interest = []
    private let loop: Loop
    private(set) var isConnected = false
    /// Why the connection ended.
    private(set) var problem: String?

    var isOpen: Bool { context != nil }

    init(_ address: RedisAddress, _ loop: Loop) {
        self.loop = loop
        let context =
            switch address {
            case .unix(let path): redisAsyncConnectUnix(path)
            case .tcp(let host, let port): redisAsyncConnect(host, Int32(port))  // fits: 16 bits
            }
        guard let context else {
            problem = "out of memory"
            return
        }
        guard context.pointee.err == 0 else {
            problem = Self.text(context.pointee.errstr)
            redisAsyncFree(context)
            return
        }
        if case .tcp = address {
            redisEnableKeepAlive(&context.pointee.c)
        }
        self.context = context
        attach(context)
    }

    private func attach(_ context: UnsafeMutablePointer<redisAsyncContext>) {
        event = DescriptorEvent(loop: loop, descriptor: context.pointee.c.fd) { [weak self] in
            self?.ready.formUnion($0)
        }
        // Released in `cleanup`.
        context.pointee.ev.data = Unmanaged.passRetained(self).toOpaque()
        context.pointee.ev.addRead = { RedisConnection.of($0)?.want(.readable, true) }
        context.pointee.ev.delRead = { RedisConnection.of($0)?.want(.readable, false) }
        context.pointee.ev.addWrite = { RedisConnection.of($0)?.want(.writable, true) }
        context.pointee.ev.delWrite = { RedisConnection.of($0)?.want(.writable, false) }
        context.pointee.ev.cleanup = { data in
            guard let data else { return }
            Unmanaged<RedisConnection>.fromOpaque(data).takeRetainedValue().forget()
        }
        context.pointee.data = context.pointee.ev.data
        redisAsyncSetConnectCallback(context) { context, status in
            guard let context, status == REDIS_OK else { return }
            RedisConnection.of(context.pointee.data)?.isConnected = true
        }
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> RedisConnection? {
        data.map { Unmanaged<RedisConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    private func want(_ interest: DescriptorEvent.Interest, _ isWanted: Bool) {
        if isWanted { wanted.insert(interest) } else { wanted.remove(interest) }
        do {
            try event?.watch(for: wanted)
        } catch {
            problem = "\(error)"
            ready.insert(.readable)
        }
    }

    /// The context is about to be freed, and its descriptor closed.
    private func forget() {
        if let context, context.pointee.err != 0 { problem = Self.text(context.pointee.errstr) }
        problem = problem ?? "the connection was closed"
        event = nil
        context = nil
        isConnected = false
    }

    private static func text(_ text: UnsafeMutablePointer<CChar>?) -> String {
        text.map { String(cString: $0) } ?? "unknown error"
    }

    // MARK: Calls

    /// - Parameter then: called in `attend` with the reply; never if the connection ends first.
    func call(_ words: [[UInt8]], then: @escaping (RedisValue) -> Void) {
        guard let context else { return }
        let call = Unmanaged.passRetained(Call(then))
        let bytes = words.flatMap { $0 }
        var lengths = words.map(\.count)
        let status = bytes.withUnsafeBytes { bytes in
            var start = 0
            var pointers: [UnsafePointer<CChar>?] = words.map { word in
                defer { start += word.count }
                let base = bytes.baseAddress.map { $0 + start } ?? UnsafeRawPointer(context)
                return base.assumingMemoryBound(to: CChar.self)
            }
            return redisAsyncCommandArgv(
                context, { _, reply, data in RedisConnection.ended(reply, data) }, call.toOpaque(),
                Int32(clamping: words.count), &pointers, &lengths)
        }
        if status != REDIS_OK { call.release() }
    }

    func call(_ words: [String], then: @escaping (RedisValue) -> Void) {
        call(words.map { Array($0.utf8) }, then: then)
    }

    private final class Call {
        let then: (RedisValue) -> Void
        init(_ then: @escaping (RedisValue) -> Void) { self.then = then }
    }

    private static func ended(_ reply: UnsafeMutableRawPointer?, _ data: UnsafeMutableRawPointer?) {
        guard let data else { return }
        let call = Unmanaged<Call>.fromOpaque(data).takeRetainedValue()
        guard let reply else { return }
        call.then(RedisValue(reply.assumingMemoryBound(to: redisReply.self)))
    }

    // MARK: Turns

    /// Reads and writes what the loop has found ready.
    func attend() {
        let ready = self.ready
        self.ready = []
        if ready.contains(.writable), let context { redisAsyncHandleWrite(context) }
        if ready.contains(.readable), let context { redisAsyncHandleRead(context) }
    }

    /// Closes the connection, without waiting for replies.
    func close() {
        guard let context else { return }
        redisAsyncFree(context)
    }
}
