/// The tenths of a second of a clock such as `01:10.3`; nil: it is something else.
func tenths(ofClock text: String) -> Int? {
    let parts = text.split(whereSeparator: { $0 == ":" || $0 == "." }).map { Int($0) }
    guard parts.count == 3, let minutes = parts[0], let seconds = parts[1], let tenths = parts[2],
        0..<1_000_000 ~= minutes, 0..<60 ~= seconds, 0..<10 ~= tenths
    else { return nil }
    return (minutes * 60 + seconds) * 10 + tenths
}

/// `01:10.3`
func clockText(tenths: Int) -> String {
    let seconds = tenths / 10
    func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(twoDigits(seconds / 60)):\(twoDigits(seconds % 60)).\(tenths % 10)"
}
