import BusdEventLoop

/// A connection to Redis on the loop. It is served in `attend`, once per turn.
final class RedisConnection {
    private struct Call {
        let mostOfReply: Int
        let then: (RedisValue) -> Void
    }

    private var stream: RedisStream?
    private var event: DescriptorEvent?
    /// The events that have happened.
    private var ready: DescriptorEvent.Interest = []
    /// Calls without a reply. The first `repliedCalls` have one.
    private var calls: [Call] = []
    private var repliedCalls = 0
    /// Why the connection ended.
    private(set) var problem: String?

    /// Reads of one turn, of 16 KiB.
    private static let mostReads = 64

    var isOpen: Bool { stream != nil }

    init(_ address: RedisAddress, _ loop: Loop) {
        do throws(HouseError) {
            let stream = try RedisStream(address)
            self.stream = stream
            event = DescriptorEvent(loop: loop, descriptor: stream.descriptor) { [weak self] in
                self?.ready.formUnion($0)
            }
            watch()
        } catch {
            problem = error.description
        }
    }

    private func watch() {
        guard let stream else { return }
        do throws(SystemError) {
            try event?.watch(for: stream.hasOutput ? [.readable, .writable] : .readable)
        } catch {
            end("\(error)")
        }
    }

    private func end(_ reason: String) {
        problem = reason
        close()
    }

    // MARK: Calls

    /// - Parameters:
    ///   - mostOfReply: bytes of memory. A larger reply ends the connection.
    ///   - then: called in `attend` with the reply; never if the connection ends first.
    func call(
        _ words: [[UInt8]], mostOfReply: Int = RedisStream.mostOfReply,
        then: @escaping (RedisValue) -> Void
    ) {
        guard let stream else { return }
        calls.append(Call(mostOfReply: mostOfReply, then: then))
        stream.append(words)
        watch()
    }

    func call(
        _ words: [String], mostOfReply: Int = RedisStream.mostOfReply,
        then: @escaping (RedisValue) -> Void
    ) {
        call(words.map { Array($0.utf8) }, mostOfReply: mostOfReply, then: then)
    }

    // MARK: Turns

    /// Reads and writes what the loop has found ready.
    func attend() {
        let ready = self.ready
        self.ready = []
        if ready.contains(.writable) { stream?.write() }
        if ready.contains(.readable) { read() }
        // A call in a reply may have closed the connection.
        if let problem = stream?.problem { end(problem) }
        watch()
    }

    private func read() {
        for _ in 0..<Self.mostReads {
            guard let stream, stream.read() else { return }
            takeReplies()
        }
    }

    private func takeReplies() {
        while let stream {
            let call = repliedCalls < calls.count ? calls[repliedCalls] : nil
            let most = call?.mostOfReply ?? RedisStream.mostOfReply
            guard let reply = stream.nextReply(most: most) else { break }
            guard let call else { return end("Redis sent a reply without a call") }
            repliedCalls += 1
            call.then(reply)
        }
        calls.removeFirst(min(repliedCalls, calls.count))
        repliedCalls = 0
    }

    /// Closes the connection, without waiting for replies.
    func close() {
        problem = problem ?? "the connection was closed"
        // The event first: it needs the descriptor.
        event = nil
        stream = nil
        (calls, repliedCalls) = ([], 0)
    }
}
