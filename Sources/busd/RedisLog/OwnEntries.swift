import BusdProtocol

/// The entries of this daemon, from `append` until each has an outcome.
///
/// They are handed to Redis in numbered calls, one at a time. The outcome of an entry is known when
/// it comes back through the stream. After a while it is given up: it is reported as uncertain if
/// it was handed over, else as refused.
struct OwnEntries {
    struct Call {
        let number: Int
        /// Empty: the call only takes its number, so that an earlier call with this number can no
        /// longer have an effect.
        let forms: [[UInt8]]
    }

    private struct SentCall {
        let number: Int
        let since: Int64
        /// The entries that have not come back.
        var rest: ArraySlice<[UInt8]>
    }

    /// How an entry with the origin of this daemon has come back.
    enum Return {
        /// As it was sent.
        case same
        /// With another form than it was sent with.
        case changed
        /// After it was given up, or it was never sent.
        case unexpected
    }

    private var waiting: [(form: [UInt8], since: Int64)] = []
    private var sentCalls: [SentCall] = []
    private var unanswered: Call?
    /// `unanswered` was handed over more than once. So a refusal does not mean that it had no
    /// effect.
    private var isRepeated = false
    /// The entries of `unanswered` have been given up.
    private var isGivenUp = false
    /// The entries in `waiting` are refused when all entries in `sentCalls` have an outcome.
    private var areRefused = false
    private var lastNumber = 0
    /// The number in the log and the form of the entry that has come back with another form.
    private var changed: (number: Int, form: [UInt8])?

    /// Microseconds.
    let longestWait: Int64
    private static let mostOfCall = 1_024

    init(longestWait: Int64) { self.longestWait = longestWait }

    /// False while new entries cannot be accepted.
    var areAccepted: Bool { !areRefused && !isGivenUp }
    /// Since when the oldest entry has waited for its outcome.
    var since: Int64? { sentCalls.first?.since ?? waiting.first?.since }

    mutating func append(_ form: [UInt8], at now: Int64) { waiting.append((form, now)) }

    /// The next call; `nil` if no entry waits, or if a call has not been answered.
    mutating func nextCall() -> Call? {
        guard unanswered == nil, !areRefused, let first = waiting.first else { return nil }
        let part = waiting.prefix(Self.mostOfCall)
        lastNumber += 1
        let call = Call(number: lastNumber, forms: part.map(\.form))
        waiting.removeFirst(part.count)
        sentCalls.append(SentCall(number: call.number, since: first.since, rest: call.forms[...]))
        (unanswered, isRepeated) = (call, false)
        return call
    }

    /// The call without an answer, to be handed over again. If its entries were given up, it is
    /// empty, which cancels the earlier one.
    mutating func repeatCall() -> Call? {
        isRepeated = true
        return unanswered.map { isGivenUp ? Call(number: $0.number, forms: []) : $0 }
    }

    /// Redis has done the call.
    mutating func done(_ number: Int) {
        guard unanswered?.number == number else { return }
        (unanswered, isGivenUp) = (nil, false)
    }

    /// Redis has refused the call. Returns false if the call must be repeated, because an earlier
    /// try may have had an effect.
    ///
    /// - Parameter last: the number of the last call that Redis has done, if the answer has it.
    ///   Then the refused call was not done, and will not be done.
    mutating func refuse(_ number: Int, last: Int?) -> Bool {
        guard unanswered?.number == number else { return true }
        guard !isRepeated || last != nil else { return false }
        (unanswered, isGivenUp) = (nil, false)
        lastNumber = last ?? number - 1
        if sentCalls.last?.number == number { sentCalls.removeLast() }
        areRefused = true
        return true
    }

    /// An entry with the origin of this daemon has come back. If its form was changed, it is
    /// `changed` again each time that it is read, also after it was given up.
    ///
    /// - Parameter number: of the entry in the log.
    mutating func received(
        _ form: [UInt8], number: Int, fromCall call: Int
    ) -> Return {
        if let changed, changed.number == number {
            guard changed.form == form else { return .changed }
            self.changed = nil
        }
        guard sentCalls.first?.number == call, let sent = sentCalls[0].rest.first else {
            return .unexpected
        }
        guard sent == form else {
            changed = (number, sent)
            return .changed
        }
        sentCalls[0].rest.removeFirst()
        if sentCalls[0].rest.isEmpty { sentCalls.removeFirst() }
        return .same
    }

    /// Gives up entries that have waited too long; `nil`: all entries.
    mutating func giveUp(at now: Int64?) -> [LogOutcome] {
        func isOverdue(_ since: Int64) -> Bool {
            now.map { $0 - since >= longestWait } ?? true  // fits: times of a clock
        }
        var outcomes: [LogOutcome] = []
        while let call = sentCalls.first, isOverdue(call.since) {
            sentCalls.removeFirst()
            if unanswered?.number == call.number { isGivenUp = true }
            outcomes.append(.uncertain(call.rest.count))
        }
        if let first = waiting.first, isOverdue(first.since) { areRefused = true }
        return outcomes
    }

    /// The refusal of the entries in `waiting`, when all entries in `sentCalls` have an outcome.
    mutating func takeRefusal() -> LogOutcome? {
        guard areRefused, sentCalls.isEmpty else { return nil }
        (areRefused, waiting) = (false, [])
        return .refused
    }
}
