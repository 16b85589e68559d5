import Glibc

enum Clock {
    /// Seconds, monotonic.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// How long things took, in seconds.
struct Latencies {
    private var all: [Double] = []
    var elapsed = 0.0

    mutating func note(_ seconds: Double) { all.append(seconds) }

    var count: Int { all.count }
    var perSecond: Double { Double(all.count) / elapsed }

    func percentile(_ percent: Double) -> Double {
        let sorted = all.sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * percent / 100))]
    }
}

/// With so many digits after the point.
func text(_ number: Double, _ digits: Int = 2) -> String {
    let scale = pow(10, Double(digits))
    let scaled = Int((number * scale).rounded())
    if digits == 0 { return "\(scaled)" }
    let fraction = String(scaled % Int(scale))
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(scaled / Int(scale)).\(zeros)\(fraction)"
}

func milliseconds(_ seconds: Double) -> String { "\(text(seconds * 1000)) ms" }

func stop(_ why: String) -> Never {
    fputs("bench-storage: \(why)\n", stderrStream())
    exit(1)
}

private func stderrStream() -> UnsafeMutablePointer<FILE>? { fdopen(2, "w") }
