import BusdProtocol

/// Counts connections, and decides whether one more is admitted.
///
/// The view socket is open to every user of the machine. So some connections are reserved for the
/// control socket, and each user gets only a part of all.
struct Admission {
    private let limits: Limits
    private(set) var count = 0
    /// Connections through the view socket.
    private(set) var viewCount = 0
    /// By user id.
    private var countOfUser: [Int: Int] = [:]

    init(_ limits: Limits) { self.limits = limits }

    /// Counts one more connection. Throws if it must be refused.
    ///
    /// - Parameter isExempt: from the limit per user.
    mutating func admit(
        _ access: Access, _ peer: Peer, isExempt: Bool
    ) throws(AdmissionError) {
        guard count < limits.connections else { throw .allTaken }
        guard access == .control || viewCount < limits.connections - limits.connectionsReserved
        else { throw .othersReserved }
        guard isExempt || countOfUser[peer.uid, default: 0] < limits.connectionsPerUser
        else { throw .userHasMany(limits.connectionsPerUser) }
        count += 1
        if access == .view { viewCount += 1 }
        countOfUser[peer.uid, default: 0] += 1
    }

    /// An admitted connection is closed.
    mutating func release(_ access: Access, _ peer: Peer) {
        count -= 1
        if access == .view { viewCount -= 1 }
        let rest = countOfUser[peer.uid, default: 1] - 1
        countOfUser[peer.uid] = rest == 0 ? nil : rest
    }
}

/// The reason for refusing a client.
package enum AdmissionError: Error {
    /// There are as many connections as the daemon admits.
    case allTaken
    /// The remaining connections are reserved for the control socket.
    case othersReserved
    /// The user has this many connections, the most that one user gets.
    case userHasMany(Int)
    /// The daemon is stopping.
    case closing

    /// The `bye` for the client, without LF.
    package var line: [UInt8] {
        switch self {
        case .allTaken:
            Line.bye(.overloaded, "too many connections: try again later (limit connections)")
        case .othersReserved:
            Line.bye(
                .overloaded,
                "too many connections through the view socket: try again later "
                    + "(limit connectionsReserved)")
        case .userHasMany(let most):
            Line.bye(
                .overloaded,
                "your user has \(most) connections: close one (limit connectionsPerUser)")
        case .closing: Line.bye(.closing, "the daemon is stopping")
        }
    }
}
