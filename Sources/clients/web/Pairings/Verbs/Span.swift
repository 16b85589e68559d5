/// A span of time on a command line: `90m`, `3h` or `2d`.
struct Span: Equatable {
    static let most = 30 * 86_400
    static let wanted = "a number of minutes, hours or days, from 1m to 30d, such as 90m or 3h"

    let seconds: Int

    /// `nil`: another text, or a span that is too short or too long.
    init?(_ text: String) {
        let unit: Int
        switch text.utf8.last {
        case UInt8(ascii: "m"): unit = 60
        case UInt8(ascii: "h"): unit = 3_600
        case UInt8(ascii: "d"): unit = 86_400
        default: return nil
        }
        let digits = text.utf8.dropLast()
        guard digits.allSatisfy({ 48...57 ~= $0 }), let number = Int(Substring(digits)),
            1...Self.most / unit ~= number  // fits: a unit is not 0
        else { return nil }
        seconds = number * unit  // fits: it is at most `most`
    }
}
