package import BusdProtocol

extension WireError {
    /// The refusal in words of users: they know games and books, not view models.
    ///
    /// - Parameters:
    ///   - thing: `game`
    ///   - address: to which the request was sent.
    package func about(_ thing: String, at address: Address) -> WireError {
        guard code == .unknownViewModel else { return self }
        return WireError(code, "there is no \(thing) \(address.name), or it is deleted")
    }
}
