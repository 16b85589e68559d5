import Glibc

public enum Clock {
    /// Monotonic time in seconds.
    public static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Durations in seconds.
public struct Latencies {
    private var all: [Double] = []
    public var elapsed = 0.0

    public init() {}

    public mutating func note(_ seconds: Double) { all.append(seconds) }

    /// Adds the durations of another turn.
    public mutating func take(_ others: Latencies) {
        all += others.all
        elapsed += others.elapsed
    }

    public var count: Int { all.count }
    public var perSecond: Double { Double(all.count) / elapsed }

    public func percentile(_ percent: Double) -> Double { Sample(all).percentile(percent) }
}

/// A figure that was measured several times.
public struct Sample {
    private let sorted: [Double]

    public init(_ values: [Double]) { sorted = values.sorted() }

    public var least: Double { sorted.first ?? 0 }
    public var most: Double { sorted.last ?? 0 }
    public var median: Double { percentile(50) }

    public func percentile(_ percent: Double) -> Double {
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * percent / 100))]
    }
}

/// Fixed-point text with `digits` digits after the point.
public func text(_ number: Double, _ digits: Int = 2) -> String {
    let scale = pow(10, Double(digits))
    let scaled = Int((number.magnitude * scale).rounded())
    let sign = number < 0 ? "-" : ""
    if digits == 0 { return "\(sign)\(scaled)" }
    let fraction = String(scaled % Int(scale))
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(sign)\(scaled / Int(scale)).\(zeros)\(fraction)"
}

public func milliseconds(_ seconds: Double) -> String { "\(text(seconds * 1000)) ms" }

public func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}

public func stop(_ why: String) -> Never {
    let line = Array("bench: \(why)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(1)
}

/// `MEDIAN (LEAST-MOST)`
public func spread(_ sample: Sample, _ digits: Int = 2) -> String {
    let (least, most) = (text(sample.least, digits), text(sample.most, digits))
    return "\(text(sample.median, digits)) (\(least)-\(most))"
}
