/// The limits of docs/protocol.md, "Limits", as `hello` reports them.
public struct Limits: Equatable, Sendable {
    /// Bytes of a line from a client, without its LF and a CR before it.
    public var line = 65_536
    /// Levels of a request; the request object is level 1.
    public var depth = 32
    /// Objects, lists and scalars of a request; keys are not counted.
    public var values = 4_096
    /// Bytes of `name`, `as`, `key` and a text `id`.
    public var text = 200
    /// Bytes of events that a connection's socket did not take; bytes of unread answers.
    public var output = 262_144
    /// Bytes of events that all sockets together did not take.
    public var outputTotal = 33_554_432
    /// Subscriptions of a connection.
    public var subscriptions = 256
    /// Connections of all clients together.
    public var connections = 4_096
    /// Connections that only clients of the control socket get.
    public var connectionsReserved: Int { max(1, connections / 8) }
    /// Connections of one user through both sockets: a quarter of all, unless it is set.
    public var connectionsPerUser: Int {
        get { min(connections, setConnectionsPerUser ?? max(1, connections / 4)) }
        set { setConnectionsPerUser = newValue }
    }
    private var setConnectionsPerUser: Int?
    /// View models made on demand.
    public var onDemand = 4_096
    /// View models that belong to one connection (`Placement.perConnection`), of each connection.
    public var perConnection = 4
    /// Events kept for each view model; also the number of keys kept for it.
    public var history = 1_024

    /// Bytes of unfinished lines of all connections together. If lines that wait have more bytes,
    /// each read is short (`littleInput`). Not in `hello`, because a few clients cannot reach it.
    public var inputTotal = 16_777_216
    /// A connection is read while at most this many bytes of it wait to be handled: one that is
    /// handled at once is never turned off.
    public static let littleInput = 4_096

    /// Bytes of kept events and keys of all view models together. Not in `hello`, as above.
    public var historyTotal = 33_554_432

    /// Estimated bytes of the subscriptions of all connections together. Not in `hello`, as above.
    public var subscriptionTotal = 100_663_296
    /// A connection with at most this many bytes of subscriptions is exempt from
    /// `subscriptionTotal`.
    public static let littleSubscribed = 8_192

    /// Requests of one connection handled in one turn of the loop.
    public static let turnRequests = 64
    /// Bytes of input of one connection handled in one turn of the loop.
    public static let turnBytes = 65_536
    /// The largest magnitude of an `Int` from a peer: 2^53 - 1. A sum of a thousand cannot
    /// overflow.
    public static let largestInteger = 9_007_199_254_740_991

    /// Consecutive combining marks in a text from a client (docs/protocol.md, "Lines"). Not in
    /// `hello`, because no language needs as many. A client reads without this limit, because a
    /// view model may emit any text.
    public var marks = 30

    /// The limits that a daemon has without options.
    public init() {}

    /// Appends the object that `hello` has under `limits`.
    public func write(to out: inout JSONWriter) {
        out.object { out in
            out.member("line", line)
            out.member("depth", depth)
            out.member("values", values)
            out.member("text", text)
            out.member("output", output)
            out.member("outputTotal", outputTotal)
            out.member("subscriptions", subscriptions)
            out.member("connections", connections)
            out.member("connectionsReserved", connectionsReserved)
            out.member("connectionsPerUser", connectionsPerUser)
            out.member("onDemand", onDemand)
            out.member("perConnection", perConnection)
            out.member("history", history)
        }
    }
}
