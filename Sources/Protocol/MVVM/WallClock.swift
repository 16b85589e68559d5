/// The time of day, for a date that people read. It jumps when somebody sets the clock, so it
/// measures no spans; see `Clock`.
public protocol WallClock: AnyObject {
    /// The present time of day.
    var now: UTCTime { get }
}

/// The services of a view model that dates something.
public protocol HasWallClock {
    /// The time of day; in tests, a `FixedWallClock`.
    var wallClock: any WallClock { get }
}

/// A time of day in UTC.
public struct UTCTime: Hashable, Comparable, Sendable {
    /// The times that a date may have: from 1970 to the year 9999.
    public static let stored: ClosedRange<Int64> = 0...253_402_300_799

    /// Whole seconds since 1970-01-01 00:00, without leap seconds.
    public let seconds: Int64

    /// Takes the nearest time from 1970 to the year 9999.
    public init(seconds: Int64) {
        self.seconds = min(max(seconds, Self.stored.lowerBound), Self.stored.upperBound)
    }

    public static func < (a: Self, b: Self) -> Bool { a.seconds < b.seconds }
}

/// Coded as its seconds.
extension UTCTime: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.value("this is not a time") { (seconds: Int64) in
            Self.stored.contains(seconds) ? Self(seconds: seconds) : nil
        }
    }

    public func encode(to encoder: any Encoder) throws { try seconds.encode(to: encoder) }
}
