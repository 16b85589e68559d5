extension Int {
    /// The integer in a text from a peer; `nil` also if its magnitude is above
    /// `Limits.largestInteger`. All numbers from peers come through this initialiser or
    /// `JSONValue.integer`.
    public init?(peer text: some StringProtocol) {
        guard let number = Int(text),
            number.magnitude <= Limits.largestInteger
        else { return nil }
        self = number
    }
}
