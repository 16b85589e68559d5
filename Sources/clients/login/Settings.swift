import BusClient
import Options
import Protocol
import Screens

/// What the command line asks for.
struct Settings: ProgramSettings {
    var user: String
    /// Nobody can guess it, and so make its view model first.
    let address: Address
    let client: ClientSettings

    static let user = Option(
        "user", "u", argument: "NAME", "the user's name; without a terminal it is needed")
    static let plain = Option(
        "plain", nil, "without a screen: the password is a line of standard input")

    static let timeout = Option(
        "timeout", argument: "SECONDS",
        "without a screen: end after this long in all; 0: no limit (default: 5)")

    static let program = Program(
        "login", version: Version.text,
        "Signs a user in. Without a terminal the password is the first line of standard input.",
        options: [user, plain, ClientSettings.socket, timeout],
        notes: """
            Keys: tab and the arrows go from field to field, enter signs in, esc leaves.

            Exit status: 0 signed in, 1 not signed in or no connection, 2 refused by the
            daemon, 3 timed out, 64 wrong usage, 74 standard output can't be written.

            """)

    init(_ arguments: Arguments) throws(UsageError) {
        client = try ClientSettings(
            arguments, needsNoScreen: arguments.has(Self.plain), trust: .daemonOfTrustedUser,
            timeout: Self.timeout)
        user = arguments[Self.user] ?? ""
        guard TypedUsername(user) != nil else {
            throw arguments.error("a user name has at most \(TypedUsername.mostBytes) bytes")
        }
        address = Address.literal("login").appendingRandom
    }
}
