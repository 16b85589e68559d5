/// A durable value that changes only by its actions: a game, a book, the people in a hall.
///
/// A thing is a plain value without a clock, a service or a random number. The daemon appends each
/// action to a log first and applies it once the log has it, so the same log always gives the same
/// thing. A thing holds no `Dictionary`, no `Set` and no `Double`, because their order or rounding
/// may differ.
///
/// A released action never changes its form or its effect: a new rule is a new case, and a new
/// field is optional. Decoding checks the form only.
public protocol Thing: Codable, Equatable, Sendable {
    /// How the library names a thing. `Identifier` (the default): the library numbers its things.
    associatedtype ID: ThingID = Identifier<Self>
    /// The value from which the library creates a new thing.
    associatedtype Seed: Codable & Sendable = NoSeed
    /// What can happen to a thing. Its JSON in the log is permanent.
    associatedtype Action: Codable & Sendable
    /// A few values that a list shows of each thing. They are in memory for all things.
    associatedtype Summary: Codable & Equatable & Sendable = NoSummary
    /// The measure for the limits of a library. It is computed from the summary and added up.
    associatedtype Size: AdditiveArithmetic & Sendable = NoSize

    /// The name of the kind in the log. It never changes once there is a store with it.
    static var kind: String { get }

    /// Whether the entries of a thing stay in the log for as long as the thing exists. True by
    /// default. False for secrets, for which only the newest entry stays. Each action must then
    /// contain the whole thing, so that a lost state can be rebuilt.
    static var keepsHistory: Bool { get }

    /// A thing that no action has changed yet. `nil` (the default): things come from a `Seed`.
    static var initial: Self? { get }

    /// A new thing. It depends on the seed alone.
    init(_ seed: Seed)

    /// Applies the action; returns false, and changes nothing, if the action has no effect.
    ///
    /// `time` is the time of the proposal. It is never earlier than the time of the entry before.
    mutating func apply(_ action: Action, at time: Instant) -> Bool

    /// Whether the action would have an effect now. The default applies it to a copy.
    func hasEffect(_ action: Action, at time: Instant) -> Bool

    /// Whether an action that has no effect says what its sender saw, and the thing is not so any
    /// more. Its `send` is answered with `stale`. False by default.
    func isOutdated(_ action: Action, at time: Instant) -> Bool

    /// The summary of the present state. The library computes it after each change.
    var summary: Summary { get }

    /// What a thing with this summary counts for the limits of its library.
    static func size(of summary: Summary) -> Size

    /// Upper bound of the growth of a thing by the action. Limits count it while the action is
    /// pending. Zero by default.
    static func growth(by action: Action) -> Size

    /// Whether a library of this size has things that measure time, such as a running clock. The
    /// daemon then saves the time twice per second, so that a kill loses less than a second. False
    /// by default.
    static func measuresTime(_ size: Size) -> Bool

    /// From when on `Library.expire(_:then:)` deletes a thing with this summary: it is marked as
    /// deleted, and the time for taking this back is over then. `nil` (the default): it is not
    /// marked. No action may take a mark back at this time or later.
    static func expiry(of summary: Summary) -> Instant?
}

extension Thing {
    public static var initial: Self? { nil }
    public static var keepsHistory: Bool { true }
    public static func growth(by action: Action) -> Size { .zero }
    public static func measuresTime(_ size: Size) -> Bool { false }
    public static func expiry(of summary: Summary) -> Instant? { nil }

    public func hasEffect(_ action: Action, at time: Instant) -> Bool {
        var copy = self
        return copy.apply(action, at: time)
    }

    public func isOutdated(_ action: Action, at time: Instant) -> Bool { false }
}

extension Thing where Seed == NoSeed {
    /// Never called: there is no value of `NoSeed`.
    public init(_ seed: NoSeed) { switch seed {} }
}

extension Thing where Summary == NoSummary {
    /// No values.
    public var summary: NoSummary { NoSummary() }
}

extension Thing where Size == NoSize {
    /// Zero for each thing.
    public static func size(of summary: Summary) -> NoSize { .zero }
}

/// The seed of things that exist from their first action on.
public typealias NoSeed = Never

/// The summary of things that no list shows.
public struct NoSummary: Codable, Equatable, Sendable {
    /// The only value.
    public init() {}
}

/// The size of things if only their number is limited.
public struct NoSize: AdditiveArithmetic, Sendable {
    public static let zero = NoSize()
    public static func + (a: Self, b: Self) -> Self { zero }
    public static func - (a: Self, b: Self) -> Self { zero }
}

/// The name of a thing in its library. Its `description` is stored in the log.
public protocol ThingID: Hashable, Codable, Sendable, LosslessStringConvertible {
    /// The id of the thing that the library creates as the nth, from 1. `nil` (the default): the
    /// library does not number its things.
    static func numbered(_ number: Int) -> Self?
}

extension ThingID {
    public static func numbered(_ number: Int) -> Self? { nil }
}

extension ExactText: ThingID {
    public var description: String { text }

    public init(from decoder: any Decoder) throws {
        self.init(try String(from: decoder))
    }

    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
