/// The delay before each attempt to connect again.
///
/// A failed attempt costs almost nothing, so the next one follows in about 100 ms, even if the
/// daemon has been away for long. So users see at once that it is back. If the daemon accepts a
/// client and soon closes the connection, the delay is 50 ms, then twice as long each time, up to 2
/// s.
///
/// An attempt through ssh costs a login on the other machine. After a failed one the delay is 1 s,
/// then twice as long each time, up to 16 s.
struct RetryDelays {
    static let shortest = Duration.milliseconds(50)
    static let longest = Duration.seconds(2)
    /// Milliseconds after a failed attempt; random, so that clients do not all connect at once.
    static let away = 50...150

    static let longestAfterFailedLogin = Duration.seconds(16)

    private let needsLogin: Bool
    private var following = shortest
    private var afterFailedLogin = Duration.seconds(1)

    /// - Parameter needsLogin: each attempt is a run of ssh.
    init(needsLogin: Bool = false) { self.needsLogin = needsLogin }

    /// - Parameter lasted: the duration of the lost connection; nil after a failed attempt. After a
    ///   connection that lasted at least as long as the longest delay there is no delay.
    mutating func next(afterLasting lasted: Duration?) -> Duration {
        guard let lasted else {
            guard needsLogin else { return .milliseconds(Int.random(in: Self.away)) }
            defer { afterFailedLogin = min(afterFailedLogin * 2, Self.longestAfterFailedLogin) }
            return afterFailedLogin
        }
        afterFailedLogin = .seconds(1)
        if lasted >= Self.longest {
            following = Self.shortest
            return .zero
        }
        defer { following = min(following * 2, Self.longest) }
        return following
    }
}
