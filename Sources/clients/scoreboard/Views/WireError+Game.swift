import BusdProtocol

extension WireError {
    /// The refusal in words of users: they know games, not view models.
    ///
    /// - Parameter game: the address to which the request was sent.
    func about(_ game: Address) -> WireError {
        code == .unknownViewModel ? WireError(code, "there is no game \(game.name)") : self
    }
}
