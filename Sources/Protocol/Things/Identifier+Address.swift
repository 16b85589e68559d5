// The address of the view model of a thing: KIND/ID.

extension Identifier {
    /// `nil` unless `address(of:)` returns this address.
    public init?(of kind: any ViewModelKind.Type, at address: Address) {
        let segments = address.segments
        guard segments.count == 2, let id = Self(segments[1]), id.address(of: kind) == address
        else { return nil }
        self = id
    }

    /// Accepts an address below `address(of:)`, too.
    public init?(of kind: any ViewModelKind.Type, atOrAbove address: Address) {
        let segments = address.segments
        guard segments.count >= 2, segments[0] == kind.name, let id = Self(segments[1]),
            id.text == segments[1]
        else { return nil }
        self = id
    }

    /// The address of the thing's view model: the name of the kind, and the number.
    public func address(of kind: any ViewModelKind.Type) -> Address {
        guard let address = Address("\(kind.name)/\(text)") else {
            preconditionFailure("\(kind.name) is no segment")  // holds: a host checks kinds
        }
        return address
    }
}
