/// How long to rest before each new attempt to connect: not at all after a good connection, else
/// 50 ms and then twice as long each time, up to 2 s.
struct Rests {
    static let shortest = Duration.milliseconds(50)
    static let longest = Duration.seconds(2)

    private var following = shortest

    /// - Parameter lasted: how long the connection was there that is lost now; nil after an attempt
    ///   that failed. One that lasted as long as the longest rest was a good one.
    mutating func next(afterLasting lasted: Duration?) -> Duration {
        if let lasted, lasted >= Self.longest {
            following = Self.shortest
            return .zero
        }
        defer { following = min(following * 2, Self.longest) }
        return following
    }
}
