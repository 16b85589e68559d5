/// `bus/views`: the attached views.
public enum BusViews: ViewModelKind {
    public static let name = "views"
    /// The only address of the kind.
    public static let address = Address.literal("bus/views")

    /// A subscription of a connection.
    public struct Row: Codable, PlainJSON, Hashable, Sendable {
        /// The number of the connection, from 1. A daemon uses a number once.
        public var connection: Int
        /// The name of the client, from `hello`.
        public var name: String?
        /// The name of the view, from `subscribe`.
        public var `as`: String?
        /// The address or pattern of the subscription.
        public var to: String
        /// The socket of the client: `control` or `view`.
        public var access: String
        /// The process id of the client when it connected; 0 for a process of another namespace.
        public var pid: Int
        /// The user id of the client when it connected.
        public var uid: Int
        /// Events that this connection has missed since it connected, because it was too slow.
        public var missed: Int
        /// When the client subscribed, in seconds since 1970 (UTC).
        public var since: Int?

        /// Takes the values unchecked.
        public init(
            connection: Int, name: String?, as: String?, to: String, access: String, pid: Int,
            uid: Int, missed: Int, since: Int? = nil
        ) {
            self.connection = connection
            self.name = name
            self.as = `as`
            self.to = to
            self.access = access
            self.pid = pid
            self.uid = uid
            self.missed = missed
            self.since = since
        }
    }

    public enum ViewEvent: WireEvent, NoEvent {}

    public enum ViewModelEvent: BusyEvent {
        /// `omitted`: the number of rows that were left out, if there are too many.
        case views(views: [Row], omitted: Int?)

        public var delivery: Delivery { .latest }

        public static let examples: [Self] = [
            .views(
                views: [
                    Row(
                        connection: 3, name: "courtside", as: "container", to: "scoreboard/1",
                        access: "control", pid: 512, uid: 1000, missed: 0,
                        since: 1_790_000_000)
                ], omitted: 7)
        ]
    }
}

/// `bus/statistics`: figures about the daemon, once per second while a view is attached.
public enum BusStatistics: ViewModelKind {
    public static let name = "statistics"
    /// The only address of the kind.
    public static let address = Address.literal("bus/statistics")

    public enum ViewEvent: WireEvent, NoEvent {}

    public enum ViewModelEvent: WireEvent {
        /// `memory` is the resident set in bytes. `gaps` counts all gaps since the start.
        case statistics(
            connections: Int, viewModels: Int, eventsPerSecond: Double,
            deliveriesPerSecond: Double, gaps: Int, memory: Int, loopLagMilliseconds: Double)

        public var delivery: Delivery { .latest }

        public static let examples: [Self] = [
            .statistics(
                connections: 3, viewModels: 9, eventsPerSecond: 12, deliveriesPerSecond: 36,
                gaps: 0, memory: 9_437_184, loopLagMilliseconds: 0.2)
        ]
    }
}

/// `bus/clock`, only with `--clock manual` or `--replay`. With `--clock manual`, time stops until a
/// client advances it. In a replay, it is the time of the entries.
public enum BusClock: ViewModelKind {
    public static let name = "clock"
    /// The only address of the kind.
    public static let address = Address.literal("bus/clock")

    public enum ViewEvent: WireEvent {
        /// Advances the time. Timers that are due by then fire in order, before the answer.
        case advance(by: Seconds)
        /// Stops the time of a replay.
        case pause
        /// Lets the time of a replay go on, at its speed.
        case resume
        /// Moves a replay to the state after an entry of the log, or to a time, as `--at` of the
        /// daemon. For a way back, the daemon ends all connections with `bye`, and serves again at
        /// once.
        case goTo(at: String)

        public static let examples: [Self] = [
            .advance(by: .example), .pause, .resume, .goTo(at: "57"),
        ]
    }

    public enum ViewModelEvent: WireEvent {
        /// Where a replay is: the newest entry that has been applied, of the last one in the
        /// backup, and its time.
        case replay(entry: Int, last: Int, time: UTCTime, speed: Double, isPaused: Bool)

        public var delivery: Delivery { .latest }

        public static let examples: [Self] = [
            .replay(
                entry: 57, last: 212, time: UTCTime(seconds: 1_790_000_000), speed: 1,
                isPaused: false)
        ]
    }
}

/// A span in seconds, 0 to 86,400, kept to the microsecond.
public struct Seconds: Hashable, Sendable {
    /// The longest span, in seconds: a day.
    public static let most: Double = 86_400
    static let example = Seconds(duration: .milliseconds(1500))

    /// The span, in whole microseconds.
    public let duration: Duration

    private init(duration: Duration) { self.duration = duration }

    /// `nil` unless the number is 0 to `most`. Rounded to the nearest microsecond.
    public init?(_ seconds: Double) {
        guard seconds >= 0, seconds <= Self.most else { return nil }
        // Not `rounded()`: in an optimised build it needs libm, which is not linked.
        duration = .microseconds(Int64(seconds * 1_000_000 + 0.5))  // fits: it is a day at most
    }
}

extension Seconds: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.value("a span must be 0 to 86400 seconds") { Self($0) }
    }

    public func encode(to encoder: any Encoder) throws {
        try (Double(duration.microseconds) / 1_000_000).encode(to: encoder)
    }
}
