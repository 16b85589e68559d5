extension Int {
    /// What a peer's text spells; `nil` also where that is larger than `Limits.largestInteger`, in
    /// size. With `JSONValue.integer` the only door for a peer's numbers.
    public init?(peer text: some StringProtocol) {
        guard let number = Int(text),
            number.magnitude <= Limits.largestInteger
        else { return nil }
        self = number
    }
}
