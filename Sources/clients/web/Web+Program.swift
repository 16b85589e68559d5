import BusdOptions
import BusdProtocol

extension Web {
    static let program = Program(
        "busd-web", version: Version.text,
        "Shows the view models of busd in browsers.", section: 8,
        options: Settings.options, verbs: PairingVerbs.verbs, isVerbRequired: false,
        statuses: (statuses + PairingVerbs.statuses).sorted {
            $0.status.rawValue < $1.status.rawValue
        },
        environment: environment + PairingVerbs.environment,
        examples: examples + PairingVerbs.examples)

    private static let statuses: [ExitStatus.Meaning] = [
        (.done, "a planned stop, or the verb is done"),
        (.failed, "it could not start; standard error has the reason"),
        (.usage, ExitStatus.usage.meaning),
        (.outputFailed, ExitStatus.outputFailed.meaning),
    ]

    private static let environment = [
        (name: "BUSD_SOCKET", text: "busd's control socket: the view socket is beside it"),
        (name: "XDG_RUNTIME_DIR", text: "where the default socket is"),
    ]

    private static let examples = [
        "busd-web", "busd-web --listen 0.0.0.0:8080 --name court.local",
        "busd-web --listen unix:/run/busd-web/web.sock --name score.example.org",
    ]
}
