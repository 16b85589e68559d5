public import BusdProtocol

// If the connection ends before a send is answered, the send may or may not have been applied. So
// each carries a key, and is sent again with it on the next connection: what was done already has
// no effect a second time. The order stays: all that wait are sent again before anything new.

extension BusConnection {
    /// Sends an event and sees to it that it is done once, also over a loss of the connection.
    ///
    /// `answered` is called once: with the value of `ok`, `refused`, or `timedOut` when `patience`
    /// is over. Without a connection the event waits for one.
    /// - Parameters:
    ///   - event: JSON, an object with one key, or a bare name as a text.
    ///   - canWait: false: the event is not sent again. If the connection is lost before the
    ///     answer, it is `lost`.
    public func send(
        _ event: [UInt8], to address: Address, ifSeq: SeqCondition? = nil, key: String? = nil,
        canWait: Bool = true, within patience: Duration = .seconds(5),
        _ answered: @escaping (Answer) -> Void = { _ in }
    ) {
        guard unanswered.hasRoom(for: event.count) else {
            let refusal = WireError(.overloaded, "too many events wait for their answer")
            return answered(.failure(.refused(refusal)))
        }
        let request = BusRequest.send(
            event, to: address, ifSeq: ifSeq, key: key ?? unanswered.newKey())
        let number = unanswered.add(request, size: event.count, answered)
        unanswered.setDeadline(
            of: number,
            loop.clock.schedule(after: patience) { [weak self] in
                self?.finish(number, .failure(.timedOut))
            })
        if isConnected { transmit(number, canWait: canWait) }
    }

    func sendAgain() {
        for number in unanswered.numbers { transmit(number) }
    }

    private func transmit(_ number: Int, canWait: Bool = true) {
        guard let send = unanswered.request(number) else { return }
        request(send) { [weak self] answer in
            if case .failure(.lost) = answer, canWait { return }
            self?.finish(number, answer)
        }
    }

    private func finish(_ number: Int, _ answer: Answer) {
        unanswered.take(number)?(answer)
    }
}

/// The sends that have no answer yet.
struct UnansweredSends {
    private struct Entry {
        let request: BusRequest
        let size: Int
        let answered: (BusConnection.Answer) -> Void
        var deadline: ScheduledAction?
    }

    /// Bytes of events that may wait. All of them fit into a new connection's output.
    static let most = LineSocket.mostOutput / 4

    private var entries: [Int: Entry] = [:]
    private var size = 0
    private var lastNumber = 0
    /// No two clients make the same keys.
    private let prefix = String(UInt64.random(in: .min ... .max), radix: 36)

    var count: Int { entries.count }

    /// In the order in which they were sent.
    var numbers: [Int] { entries.keys.sorted() }

    func hasRoom(for more: Int) -> Bool { size + more <= Self.most }

    func newKey() -> String { "\(prefix)-\(lastNumber + 1)" }

    func request(_ number: Int) -> BusRequest? { entries[number]?.request }

    mutating func add(
        _ request: BusRequest, size more: Int, _ answered: @escaping (BusConnection.Answer) -> Void
    ) -> Int {
        lastNumber += 1
        size += more
        entries[lastNumber] = Entry(request: request, size: more, answered: answered)
        return lastNumber
    }

    mutating func setDeadline(of number: Int, _ timer: ScheduledAction) {
        entries[number]?.deadline = timer
    }

    mutating func take(_ number: Int) -> ((BusConnection.Answer) -> Void)? {
        guard let entry = entries.removeValue(forKey: number) else { return nil }
        size -= entry.size
        return entry.answered
    }
}
