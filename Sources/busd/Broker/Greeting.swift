/// Data of the daemon for the answer to `hello`.
struct Greeting {
    /// Name and version.
    let server: String
    /// `full`, `normal` or `none`.
    let durability: String
    /// The name of the house of several machines; `nil`: the daemon is in none.
    let house: String?
    /// The path of the store's folder; `nil`: there is no store. Reported only to clients that may
    /// manage the daemon.
    let state: String?

    func with(durability: String) -> Greeting {
        Greeting(server: server, durability: durability, house: house, state: state)
    }
}
