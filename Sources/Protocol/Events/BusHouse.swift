/// `bus/house`, only with `--house`: the daemons that share one log.
public enum BusHouse: ViewModelKind {
    public static let name = "house"
    /// The only address of the kind.
    public static let address = Address.literal("bus/house")

    /// A daemon of the house.
    public struct Row: Codable, Hashable, Sendable {
        /// The name of the daemon in the house; unique in it.
        public var name: String
        /// The version of the daemon, such as `1.0`.
        public var version: String
        /// The number of its newest entry.
        public var position: Int
        /// Milliseconds since its last heartbeat, if it has missed some; else 0.
        public var behind: Int
        /// When it started, in seconds since 1970.
        public var since: Int

        /// Takes the values unchecked.
        public init(name: String, version: String, position: Int, behind: Int, since: Int) {
            (self.name, self.version, self.position) = (name, version, position)
            (self.behind, self.since) = (behind, since)
        }
    }

    public enum ViewEvent: WireEvent, NoEvent {}

    public enum ViewModelEvent: WireEvent {
        /// - Parameters:
        ///   - daemon: the name of the daemon that you are connected to.
        ///   - position: the number of its newest entry.
        ///   - state: `following`, or the reason why durable sends are refused.
        case house(name: String, daemon: String, position: Int, state: String, daemons: [Row])

        public var delivery: Delivery { .latest }

        public static let examples: [Self] = [
            .house(
                name: "league", daemon: "court", position: 41, state: "following",
                daemons: [
                    Row(
                        name: "court", version: "1.0", position: 41, behind: 0,
                        since: 1_790_000_000)
                ])
        ]
    }
}
