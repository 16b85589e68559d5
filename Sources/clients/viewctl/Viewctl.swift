import BusdEventLoop
import BusdOptions
import BusdProtocol
import BusdScreens
import Glibc

@main enum Viewctl {
    static var commands: [any Command.Type] {
        [
            List.self, Describe.self, Get.self, Watch.self, Wait.self, SendCommand.self,
            Who.self, Top.self, TapCommand.self, Ping.self, Relay.self, Expect.self,
            HouseTable.self,
        ]
    }

    static let program = Program(
        "viewctl", version: Version.text,
        "Shows the view models of busd, and sends them events.",
        options: options, verbs: commands.map { $0.verb }, notes: notes,
        statuses: statuses, environment: environment, examples: examples)

    static func main() {
        unblockSignals()
        ignoreSignalsOfFailedWrites()
        fillStandardDescriptors()
        let console = Console(of: "viewctl")
        let status = run(console)
        exit(console.finish(status).rawValue)
    }

    private static func run(_ console: Console) -> ExitStatus {
        if let status = Completions().run(CommandLine.arguments.dropFirst(), console) {
            return status
        }
        return console.status {
            switch try program.parseCommandLine() {
            case .show(let text):
                console.put(text)
                return .done
            case .run(let arguments):
                try arguments.requireText(
                    ofVariables: "BUSD_DAEMON", "BUSD_HOST", "XDG_RUNTIME_DIR")
                let settings = try Viewctl.settings(arguments)
                guard let command = commands.first(where: { $0.name == arguments.verb }) else {
                    throw arguments.error("missing verb")
                }
                return try command.init(arguments).run(settings, console)
            }
        }
    }
}
