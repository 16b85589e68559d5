import BusdProtocol

// The address of the view model of a game or a book: KIND/ID.

extension Identifier {
    /// `nil` unless `address(of:)` returns this address.
    init?(of kind: any ViewModelKind.Type, at address: Address) {
        let segments = address.segments
        guard segments.count == 2, let id = Self(segments[1]), id.address(of: kind) == address
        else { return nil }
        self = id
    }

    /// Accepts an address below `address(of:)`, too.
    init?(of kind: any ViewModelKind.Type, atOrAbove address: Address) {
        let segments = address.segments
        guard segments.count >= 2, segments[0] == kind.name, let id = Self(segments[1]),
            id.text == segments[1]
        else { return nil }
        self = id
    }

    func address(of kind: any ViewModelKind.Type) -> Address { checked("\(kind.name)/\(text)") }
}

func checked(_ text: String) -> Address {
    guard let address = Address(text) else {
        preconditionFailure("\(text) is not an address")  // holds: its parts are short segments
    }
    return address
}
