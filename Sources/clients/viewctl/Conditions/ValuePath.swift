import BusdProtocol

/// The way to a value of a view model, such as `score.home` or `games.games.0.status`.
struct ValuePath: Equatable {
    /// The name of the event that carries the value.
    let event: String
    /// From the payload to the value: names of members, and places in lists, from 0.
    let fields: [String]

    init(event: String) { (self.event, fields) = (event, []) }

    /// Nil if a step is empty, or has a character of a comparison.
    init?(_ text: String) {
        let steps = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let event = steps.first, steps.allSatisfy({ !$0.isEmpty }),
            !text.utf8.contains(where: "!<=>".utf8.contains)
        else { return nil }
        self.event = String(event)
        fields = steps.dropFirst().map { String($0) }
    }

    var text: String { ([event] + fields).joined(separator: ".") }
}

extension JSONValue {
    /// The value within this one; nil if there is none.
    func value(at path: ArraySlice<String>) -> JSONValue? {
        guard let step = path.first else { return self }
        let child: JSONValue? =
            switch kind {
            case .object: self[step]
            case .list: Int(step).flatMap { place in element(place) }  // fits: else nil
            default: nil
            }
        return child?.value(at: path.dropFirst())
    }

    private func element(_ place: Int) -> JSONValue? {
        guard place >= 0 else { return nil }
        var rest = elements.dropFirst(place).makeIterator()
        return rest.next()
    }
}
