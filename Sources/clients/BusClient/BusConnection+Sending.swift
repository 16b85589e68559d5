public import BusdProtocol

// If the connection ends before a send is answered, the daemon may or may not have applied it. So
// each send has a key, and is sent again with that key on the next connection. The daemon applies a
// key once. The order is kept: all unanswered sends are repeated before a new one.

extension BusConnection {
    /// Sends an event, and sends it again after a lost connection. The daemon applies it only once.
    ///
    /// `answered` is called once: with the value of `ok`, with `refused`, or with `timedOut` after
    /// `timeout`. Without a connection the event waits for one.
    ///
    /// `event` is JSON: an object with one key, or a bare name as a text. With `canWait` false, the
    /// event is not sent again: if the connection is lost first, the answer is `lost`.
    public func send(
        _ event: [UInt8], to address: Address, ifSeq: SeqCondition? = nil, ifDone: Cursor? = nil,
        key: String? = nil, canWait: Bool = true, within timeout: Duration = .seconds(5),
        _ answered: @escaping (Answer) -> Void = { _ in }
    ) {
        guard unanswered.hasRoom(for: event.count) else {
            let refusal = WireError(.overloaded, "too many events wait for their answer")
            return answered(.failure(.refused(refusal)))
        }
        let request = BusRequest.send(
            event, to: address, ifSeq: ifSeq, ifDone: ifDone, key: key ?? unanswered.newKey())
        let number = unanswered.add(request, size: event.count, answered)
        unanswered.setDeadline(
            of: number,
            loop.clock.schedule(after: timeout) { [weak self] in
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

    /// Limit of all unanswered events, in bytes. They fit into the output buffer of a new
    /// connection.
    static let most = LineSocket.mostOutput / 4

    private var entries: [Int: Entry] = [:]
    private var size = 0
    private var lastNumber = 0
    /// Random, so that no two clients make the same keys.
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
