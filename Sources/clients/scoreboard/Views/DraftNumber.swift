import BusdTerminal

/// A number that several screens may change. See `DraftField`.
struct DraftNumber: Equatable {
    private(set) var value: Int
    private let allowed: ClosedRange<Int>
    private var sent: [Int] = []

    init(_ value: Int, in allowed: ClosedRange<Int>) {
        (self.value, self.allowed) = (value, allowed)
    }

    /// The new number, which must be sent; nil if the key has not changed it. Arrows change it by
    /// one. A digit is put behind the others, or replaces them if the number would be too large.
    mutating func edit(_ key: Key) -> Int? {
        switch key {
        case .left, .text("-"): set(value - 1)
        case .right, .text("+"): set(value + 1)
        case .text(let scalar): type(Int(scalar.value) - 48)
        default: nil
        }
    }

    private mutating func type(_ digit: Int) -> Int? {
        guard 0...9 ~= digit else { return nil }
        let longer = value * 10 + digit
        return set(allowed.contains(longer) ? longer : digit)
    }

    private mutating func set(_ number: Int) -> Int? {
        guard allowed.contains(number), number != value else { return nil }
        value = number
        sent.append(number)
        return number
    }

    /// The view model has sent the number.
    mutating func received(_ number: Int) {
        if let place = sent.lastIndex(of: number) { sent.removeFirst(place + 1) }
        if sent.isEmpty { value = number }
    }

    mutating func forgetSent() { sent = [] }
}
