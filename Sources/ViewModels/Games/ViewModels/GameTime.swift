import BusdProtocol

/// Minutes, seconds and tenths, `01:10.3`. The minutes can exceed 99.
func timeText(tenths: Int64) -> String {
    let seconds = tenths / 10
    return String(capacity: OutputSpan.longestDecimal + 6) { out in
        out.append(twoDigits: seconds / 60)
        out.append(UInt8(ascii: ":"))
        out.append(twoDigits: seconds % 60)
        out.append(UInt8(ascii: "."))
        out.append(decimal: Int(widening: tenths % 10))
    }
}

extension OutputSpan<UInt8> {
    fileprivate mutating func append(twoDigits number: Int64) {
        if number < 10 { append(UInt8(ascii: "0")) }
        append(decimal: Int(widening: number))
    }
}

/// The microseconds of a time such as `01:10.3`, `1:10` or `90:00`; `nil`: it is something else.
func microseconds(ofTime text: String) -> Int64? {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2, let minutes = number(parts[0], digits: 1...6) else { return nil }
    let rest = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(rest.count), let seconds = number(rest[0], digits: 2...2), seconds < 60
    else { return nil }
    guard let tenths = rest.count == 2 ? number(rest[1], digits: 1...1) : 0 else { return nil }
    return ((minutes * 60 + seconds) * 10 + tenths) * 100_000  // fits: few digits
}

/// A number of so many decimal digits.
private func number(_ text: Substring.UTF8View, digits: ClosedRange<Int>) -> Int64? {
    guard digits.contains(text.count), text.allSatisfy({ 48...57 ~= $0 }) else { return nil }
    return Int64(Substring(text))  // fits: else it is nil
}
