/// `bus/connections`: what each connection does now, once per second while a client watches.
public enum BusConnections: ViewModelKind {
    public static let name = "connections"
    /// The only address of the kind.
    public static let address = Address.literal("bus/connections")
    /// Most rows of the value.
    public static let mostRows = 200

    /// A connection. `sends`, `received`, `written` and `share` are of the measured span.
    public struct Row: Codable, Hashable, Sendable {
        /// The number of the connection, as in `bus/views`.
        public var connection: Int
        /// The name of the client, from `hello`.
        public var name: String?
        /// The socket of the client: `control` or `view`.
        public var access: String
        /// The process id of the client when it connected; 0 for a process of another namespace.
        public var pid: Int
        /// The user id of the client when it connected.
        public var uid: Int
        /// Number of its `send` requests, also of refused ones.
        public var sends: Int
        /// Bytes that were read from its socket.
        public var received: Int
        /// Bytes that its socket took.
        public var written: Int
        /// Bytes that wait for its socket.
        public var backlog: Int
        /// Milliseconds since the oldest waiting event was emitted; 0: no event waits.
        public var oldest: Int
        /// Events that it has missed since it connected, because it was too slow.
        public var missed: Int
        /// Percentage of the span in which the loop worked for it, to a tenth: its reads, requests
        /// and committed actions, and the writes to it.
        public var share: Double

        /// Takes the values unchecked.
        public init(
            connection: Int, name: String?, access: String, pid: Int, uid: Int, sends: Int,
            received: Int, written: Int, backlog: Int, oldest: Int, missed: Int, share: Double
        ) {
            (self.connection, self.name, self.access) = (connection, name, access)
            (self.pid, self.uid) = (pid, uid)
            (self.sends, self.received, self.written) = (sends, received, written)
            (self.backlog, self.oldest, self.missed) = (backlog, oldest, missed)
            self.share = share
        }
    }

    public enum ViewEvent: WireEvent, NoEvent {}

    public enum ViewModelEvent: WireEvent {
        /// - Parameters:
        ///   - milliseconds: the measured span. It begins with the first watcher, and anew with
        ///     each event; 0: nothing was measured yet.
        ///   - connections: the busiest first: by `share`, then by sends, bytes and backlog.
        ///   - omitted: the number of connections without a row, if there are too many.
        case connections(milliseconds: Int, connections: [Row], omitted: Int?)

        public var delivery: Delivery { .latest }

        public static let examples: [Self] = [
            .connections(
                milliseconds: 1_000,
                connections: [
                    Row(
                        connection: 3, name: "courtside", access: "control", pid: 512, uid: 1000,
                        sends: 20, received: 1_840, written: 9_120, backlog: 4_096, oldest: 250,
                        missed: 0, share: 1.5)
                ], omitted: 7)
        ]
    }
}

/// `bus/tap`: the sends of all clients, without their payloads. For the administrator.
public enum BusTap: ViewModelKind {
    public static let name = "tap"
    /// The only address of the kind.
    public static let address = Address.literal("bus/tap")
    /// Most rows per second.
    public static let mostRows = 1_000

    /// A `send` that was answered.
    public struct Row: Codable, Hashable, Sendable {
        /// The number of the connection, as in `bus/views`.
        public var connection: Int
        /// The name of the client, from `hello`.
        public var name: String?
        /// The user id of the client when it connected.
        public var uid: Int
        /// The address in the request.
        public var to: String
        /// The name of the event; `nil`: the view model has no such event, or there is no view
        /// model.
        public var event: String?
        /// `changed`, `unchanged`, `duplicate`, or the code of the error.
        public var outcome: String
        /// From the reading of the request to its answer, with the wait for the disk if the answer
        /// needs it.
        public var microseconds: Int

        /// Takes the values unchecked.
        public init(
            connection: Int, name: String?, uid: Int, to: String, event: String?, outcome: String,
            microseconds: Int
        ) {
            (self.connection, self.name, self.uid) = (connection, name, uid)
            (self.to, self.event) = (to, event)
            (self.outcome, self.microseconds) = (outcome, microseconds)
        }
    }

    public enum ViewEvent: WireEvent, NoEvent {}

    public enum ViewModelEvent: WireEvent {
        /// The newest sends, in the order of their answers: at most 100 in one event, and
        /// `mostRows` per second.
        case sends(sends: [Row])
        /// The number of rows that were sent, and of sends without a row, since the start of the
        /// daemon while a client watched. Sent after each second with sends, and part of the
        /// snapshot. So the counts are exact after a gap, too.
        case totals(shown: Int, others: Int)

        public var delivery: Delivery {
            switch self {
            case .sends: .every
            case .totals: .latest
            }
        }

        public static let examples: [Self] = [
            .sends(sends: [
                Row(
                    connection: 3, name: "courtside", uid: 1000, to: "scoreboard/1",
                    event: "pause", outcome: "changed", microseconds: 210)
            ]),
            .totals(shown: 1_000, others: 500),
        ]
    }
}
