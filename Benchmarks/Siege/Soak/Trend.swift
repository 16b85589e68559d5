import Measures

/// The trend of a figure, without its jumps: the median of each of ten slices of time counts.
struct Trend {
    /// Change per second: the median of the slopes between all pairs of slices (Theil and Sen).
    let slope: Double
    /// Whether it has risen by more than 2 MiB plus a twentieth, and the later slice is higher in
    /// nine of ten pairs. A figure that has reached a limit rises in a few pairs only.
    let isRising: Bool

    init(_ samples: [(time: Double, value: Double)]) {
        let slices: [(time: Double, value: Double)] = (0..<10).compactMap { slice in
            let part = samples[(samples.count * slice / 10)..<(samples.count * (slice + 1) / 10)]
            if part.isEmpty { return nil }
            return (Sample(part.map(\.time)).median, Sample(part.map(\.value)).median)
        }
        var slopes: [Double] = []
        for (place, one) in slices.enumerated() {
            for other in slices[(place + 1)...] where other.time > one.time {
                slopes.append((other.value - one.value) / (other.time - one.time))
            }
        }
        slope = Sample(slopes).median
        let span = (slices.last?.time ?? 0) - (slices.first?.time ?? 0)
        let rise = slope * span
        let allowed = 2_097_152 + Sample(slices.map(\.value)).median / 20
        isRising = rise > allowed && slopes.count { $0 > 0 } * 10 >= slopes.count * 9
    }
}

/// Draws a figure over time: time from left to right, the least at the bottom.
func plot(_ what: String, _ samples: [(time: Double, value: Double)], _ label: (Double) -> String) {
    let (columns, rows) = (72, 8)
    let values = (0..<columns).map { column in
        let part = samples[
            (samples.count * column / columns)..<(samples.count * (column + 1) / columns)]
        return part.map(\.value).max()
    }
    let all = Sample(samples.map(\.value))
    let step = max(1, (all.most - all.least) / Double(rows - 1))
    print("\n\(what)")
    for row in (0..<rows).reversed() {
        let level = all.least + Double(row) * step
        let marks = values.map { value in
            value.map { Int((($0 - all.least) / step).rounded()) == row } == true ? "*" : " "
        }
        let margin = String(repeating: " ", count: max(0, 10 - label(level).count))
        print("\(margin)\(label(level)) |\(marks.joined())")
    }
    let end = "\(text((samples.last?.time ?? 0) / 60, 1)) min"
    print(
        String(repeating: " ", count: 11) + "+" + String(repeating: "-", count: columns) + "\n"
            + String(repeating: " ", count: 12 + columns - end.count) + end)
}
