/// What `hello` reports of the daemon.
struct Greeting {
    let server: String
    let durability: String
    /// The house of several machines that the daemon is in.
    let house: String?
    /// The folder of the store; reported only to clients that may manage the daemon.
    let state: String?
}
