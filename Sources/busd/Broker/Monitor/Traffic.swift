/// What each connection does, for `bus/connections`. Counted only while a client watches it, so
/// that it costs nothing else.
struct Traffic {
    /// What a connection has done in the span.
    struct Counts: Comparable {
        /// Time of the loop, in microseconds.
        fileprivate(set) var time = 0
        fileprivate(set) var sends = 0
        fileprivate(set) var received = 0
        fileprivate(set) var written = 0

        /// Busier connections are greater.
        static func < (a: Self, b: Self) -> Bool {
            (a.time, a.sends, a.received + a.written) < (b.time, b.sends, b.received + b.written)
        }
    }

    private(set) var isOn = false
    /// The time of the stopwatch when the span began.
    private var start: Int64 = 0
    /// By connection slot. Slots without counts may be missing.
    private var counts: [Counts] = []

    /// Begins to count, or ends it.
    mutating func turn(on isOn: Bool, at time: Int64) {
        guard isOn != self.isOn else { return }
        self = Traffic()
        (self.isOn, start) = (isOn, time)
    }

    /// Begins a new span.
    mutating func restart(at time: Int64) {
        start = time
        for slot in counts.indices { counts[slot] = Counts() }
    }

    /// Length of the span so far, in microseconds.
    func span(at time: Int64) -> Int { isOn ? Int(clamping: time &- start) : 0 }

    func counts(of slot: ConnectionSlot) -> Counts {
        slot < counts.count ? counts[slot] : Counts()
    }

    /// The connection has closed.
    mutating func remove(_ slot: ConnectionSlot) {
        if slot < counts.count { counts[slot] = Counts() }
    }

    // MARK: Counting

    mutating func countSend(_ slot: ConnectionSlot) {
        makeRoom(slot)
        counts[slot].sends += 1
    }

    mutating func received(_ bytes: Int, on slot: ConnectionSlot) {
        makeRoom(slot)
        counts[slot].received += bytes
    }

    mutating func wrote(_ bytes: Int, to slot: ConnectionSlot) {
        makeRoom(slot)
        counts[slot].written += bytes
    }

    /// The loop has worked for the connection for so many microseconds.
    mutating func worked(_ time: Int64, for slot: ConnectionSlot) {
        makeRoom(slot)
        counts[slot].time += Int(clamping: time)
    }

    private mutating func makeRoom(_ slot: ConnectionSlot) {
        while counts.count <= slot { counts.append(Counts()) }
    }
}
