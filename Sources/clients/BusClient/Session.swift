import BusdEventLoop
package import BusdProtocol

// A command connects, asks, loses the connection, asks again on the next one, and ends with an
// outcome, or too late. A session is this story. The command adds what it does at each moment
// (`ready`, `received`, `lost`), or waits for answers, one after the other.

/// The run of a command, over one connection after the other.
package final class Session {
    /// Which losses a session waits out. It never waits for a daemon that it cannot use.
    package enum Patience {
        /// A daemon that was there may come back. One that was never there is reported at once.
        case forReturn
        /// A daemon may start later, too.
        case forStart
        /// The same, if the user has the permission to connect.
        case forStartIfPermitted
        /// A daemon may start later, and the first connection is the only one.
        case forStartOnly
        /// There must be a daemon now.
        case none
    }

    /// A time limit; zero: none.
    package enum Limit {
        case total(Duration)
        case perAnswer(Duration)
    }

    package let connection: BusConnection
    private let patience: Patience
    private let limit: Limit
    private var deadline: ScheduledAction?
    private var end: (any Error)?
    private var output: ClientLoop.Watch?
    /// Asks again for the requests of `answers` that have no answer yet.
    private var askAgain: (() -> Void)?

    /// There is a new connection. It knows no subscription.
    package var ready: (() -> Void)?
    package var received: ((BusLine, JSONValue) -> Void)?
    /// The connection is lost, and the session waits for the next one. Called once until `isAway`
    /// is set to false.
    package var lost: ((Loss) -> Void)?
    package var isAway = false
    /// The time that the newest answer to `ask` took.
    package private(set) var delay = Duration.zero

    package init(
        _ connection: BusConnection, _ patience: Patience = .forReturn, within limit: Limit
    ) {
        (self.connection, self.patience, self.limit) = (connection, patience, limit)
        connection.listen(self) { $0.handle($1) }
    }

    private func handle(_ event: BusConnection.Event) {
        guard !hasEnded else { return }
        switch event {
        case .connected:
            ready?()
            askAgain?()
        case .line(let line, let object): received?(line, object)
        case .lost(let loss):
            if patience.isOver(after: loss, connection) { return end(RequestFailure.lost(loss)) }
            guard !isAway else { return }
            isAway = true
            lost?(loss)
        }
    }

    // MARK: The end

    package var hasEnded: Bool { end != nil }

    /// Makes `wait` throw. Only the first end counts.
    package func end(_ end: any Error) { if self.end == nil { self.end = end } }

    /// Ends with this when the other end of the descriptor is closed. A regular file cannot be
    /// watched, and needs no watch.
    package func end(_ end: any Error, whenHungUp descriptor: Int32) {
        output = try? connection.loop.whenHungUp(descriptor) { [weak self] in self?.end(end) }
    }

    /// Opens the connection, and runs the loop until `next` has a value.
    ///
    /// - Parameter next: called before each turn.
    /// - Throws: the value of `end`; `RequestFailure.lost` when the patience is over;
    ///   `RequestFailure.timedOut`.
    package func wait<Value>(for next: () throws -> Value?) throws -> Value {
        startClock()
        connection.open()
        while true {
            if let value = try next() { return value }
            if let end { throw end }
            connection.loop.loop.turn(block: true)
        }
    }

    private func startClock() {
        switch limit {
        case .total(let span): if deadline == nil, span > .zero { startClock(span) }
        case .perAnswer(let span): if span > .zero { startClock(span) }
        }
    }

    private func startClock(_ span: Duration) {
        deadline = connection.loop.clock.schedule(after: connection.left(of: span)) {
            [weak self] in self?.end(RequestFailure.timedOut)
        }
    }

    /// Stops the time limit. It starts again, from its beginning, with the next `wait`.
    package func stopClock() { deadline = nil }

    // MARK: Requests

    /// Asks on the present connection. If it is lost before the answer, `ready` has to ask again.
    ///
    /// - Parameter refused: nil: a refusal ends the session.
    /// - Returns: the request's `id`; nil if it was not sent.
    @discardableResult
    package func ask(
        _ request: BusRequest, _ answered: @escaping (JSONValue) -> Void = { _ in },
        refused: ((WireError) -> Void)? = nil
    ) -> Int? {
        let start = connection.loop.clock.now
        return connection.request(request) { [weak self] answer in
            guard let self, !hasEnded else { return }
            switch answer {
            case .success(let value):
                delay = connection.loop.clock.now - start
                answered(value)
            case .failure(.refused(let error)):
                if let refused { refused(error) } else { end(RequestFailure.refused(error)) }
            case .failure(.lost), .failure(.timedOut): break
            }
        }
    }

    /// Waits for the answers to all requests. After a lost connection it asks for the others again.
    package func answers(to requests: [BusRequest]) throws -> [Result<JSONValue, WireError>] {
        if let end { throw end }
        var answers: [Result<JSONValue, WireError>?] = requests.map { _ in nil }
        let ask = { [weak self] in
            for (place, request) in requests.enumerated() where answers[place] == nil {
                self?.ask(request) {
                    answers[place] = .success($0)
                } refused: {
                    answers[place] = .failure($0)
                }
            }
        }
        if connection.isConnected { ask() }
        askAgain = ask
        defer { askAgain = nil }
        return try waitForAnswer {
            let known = answers.compactMap(\.self)
            return known.count == answers.count ? known : nil
        }
    }

    /// Waits for the answer to a request, which changes nothing or has a key. After a lost
    /// connection it asks again.
    package func answer(to request: BusRequest) throws -> JSONValue {
        do {
            return try answers(to: [request])[0].get()
        } catch let error as WireError {
            throw RequestFailure.refused(error)
        }
    }

    /// Sends an event, and waits for its answer.
    package func send(
        _ event: [UInt8], to address: Address, ifDone: Cursor? = nil
    ) throws -> JSONValue {
        if let end { throw end }
        var answer: BusConnection.Answer?
        connection.send(event, to: address, ifDone: ifDone, within: .forever) { answer = $0 }
        return try waitForAnswer { answer }.get()
    }

    /// Like `wait`, but a time limit that ends without a connection is a loss.
    package func waitForAnswer<Value>(_ next: () throws -> Value?) throws -> Value {
        do {
            return try wait(for: next)
        } catch RequestFailure.timedOut {
            throw connection.loss.map { .lost($0) } ?? RequestFailure.timedOut
        }
    }
}

extension Session.Patience {
    fileprivate func isOver(after loss: Loss, _ connection: BusConnection) -> Bool {
        if loss.isOfWrongDaemon { return true }
        return switch (self, loss) {
        case (.none, _), (.forStartIfPermitted, .notPermitted): true
        case (.forReturn, .busy), (.forReturn, .connecting): false
        case (.forReturn, _): !connection.wasConnected
        case (.forStartOnly, _): connection.wasConnected
        case (.forStart, _), (.forStartIfPermitted, _): false
        }
    }
}

extension Duration {
    /// For a request without a limit of its own.
    package static let forever = Duration.seconds(1_000_000_000)
}
