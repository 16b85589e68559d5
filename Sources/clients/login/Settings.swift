import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens

/// The settings from the command line.
struct Settings: ProgramSettings {
    var user: String
    /// Random, so that no other client can create its view model first.
    let address: Address
    let client: ClientSettings

    static let user = Option(
        "user", "u", argument: "NAME",
        "the user's name, at most 200 bytes; required without a terminal")
    static let plain = Option(
        "plain", nil, "show no screen, and read the password from standard input")

    static let timeout = Option(
        "timeout", argument: "SECONDS",
        "time limit of a run without a screen; 0: no limit (default: 5)")

    static let program = Program(
        "busd-login", version: Version.text,
        "Signs a user in. Without a terminal the password is the first line of standard input.",
        options: [user, plain, ClientSettings.socket, ClientSettings.host, timeout],
        notes: """
            Keys: tab and the arrows go from field to field, enter signs in, esc leaves.
            """,
        statuses: statuses, environment: ClientSettings.environment,
        examples: ["busd-login --user ann < password && echo welcome"])

    private static let statuses: [ExitStatus.Meaning] =
        [(.done, "signed in")] + ExitStatus.meanings(.noConnection, .refused, .timedOut) + [
            (.gone, "the daemon has ended the login"),
            (.denied, "not signed in, or no permission to connect; standard error has the reason"),
            (.usage, ExitStatus.usage.meaning),
            (.badInput, "standard input has no valid password"),
        ] + ExitStatus.meanings(.outputFailed, .tryAgain)

    init(_ arguments: Arguments) throws(UsageError) {
        client = try ClientSettings(
            arguments, needsNoScreen: arguments.has(Self.plain), trust: .daemonOfTrustedUser,
            timeout: Self.timeout)
        user = arguments[Self.user] ?? ""
        guard TypedUsername(user) != nil else {
            throw arguments.error("a user name must have at most \(TypedUsername.mostBytes) bytes")
        }
        address = Address.literal("login").appendingRandom
    }
}
