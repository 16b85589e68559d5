/// How long to rest before each new attempt to connect.
///
/// An attempt that fails costs next to nothing, so it is never long until the next one, however
/// long the daemon has been away: a person sees it come back at once. A daemon that lets a client
/// in and closes soon is left alone: 50 ms at first, then twice as long each time, up to 2 s.
///
/// An attempt through ssh costs a login on the other machine. After one that failed the rest is
/// 1 s, then twice as long each time, up to 16 s.
struct Rests {
    static let shortest = Duration.milliseconds(50)
    static let longest = Duration.seconds(2)
    /// Milliseconds after an attempt that failed; at random, so that clients do not come in step.
    static let away = 50...150

    static let longestAfterFailedLogin = Duration.seconds(16)

    private let needsLogin: Bool
    private var following = shortest
    private var afterFailedLogin = Duration.seconds(1)

    /// - Parameter needsLogin: each attempt is a run of ssh.
    init(needsLogin: Bool = false) { self.needsLogin = needsLogin }

    /// - Parameter lasted: how long the connection was there that is lost now; nil after an attempt
    ///   that failed. One that lasted as long as the longest rest was a good one: no rest then.
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
