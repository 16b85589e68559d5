import BusdEventLoop
import BusdOptions
import BusdProtocol
import CBusdSystem
import Glibc

/// The program busd-web, made of parts:
///
///     WebProgram(.shopping, .orders).run()
///
/// Of two parts with a page at the same path, the first counts.
package struct WebProgram {
    private let parts: [SitePart]

    package init(_ parts: SitePart...) { self.parts = parts }

    /// What phones can do.
    private var purpose: String { parts.phones.purpose }
    private var verbs: PairingVerbs { PairingVerbs(purpose: purpose) }

    /// Runs a server or a verb, and ends the process.
    package func run() {
        unblockSignals()
        ignoreSignalsOfFailedWrites()
        fillStandardDescriptors()
        do {
            switch try program.parseCommandLine() {
            case .show(let text): print(text, terminator: "")
            case .run(let arguments):
                try arguments.requireText(
                    ofVariables: "BUSD_SOCKET", "XDG_RUNTIME_DIR", "STATE_DIRECTORY",
                    "XDG_STATE_HOME", "HOME")
                try Settings.checkUse(arguments, purpose: purpose)
                if let report = try verbs.run(arguments) { Self.finish(report) }
                try WebServer(Settings(arguments, purpose: purpose), parts).run()
            }
        } catch let error as UsageError {
            Log.write(lines: error.description)
            exit(ExitStatus.usage.rawValue)
        } catch let error as StateFault {
            Self.end("\(error)", error.status)
        } catch {
            Self.end("\(error)", .failed)
        }
        Self.flush()
    }

    private static func finish(_ report: Report) -> Never {
        for line in report.output { print(line) }
        flush()
        for line in report.notes { Log.write(lines: line) }
        exit(report.status.rawValue)
    }

    private static func flush() {
        let code = busd_flush_output()
        if code != 0, code != EPIPE {
            end("standard output: \(String(cString: strerror(code)))", .outputFailed)
        }
    }

    private static func end(_ message: String, _ status: ExitStatus) -> Never {
        Log.write(message)
        exit(status.rawValue)
    }
}

extension WebProgram {
    var program: Program {
        Program(
            "busd-web", version: Version.text,
            "Shows the view models of busd in browsers.", section: 8,
            options: Settings.options(for: purpose), verbs: verbs.all, isVerbRequired: false,
            statuses: (Self.statuses + PairingVerbs.statuses).sorted {
                $0.status.rawValue < $1.status.rawValue
            },
            environment: Self.environment + PairingVerbs.environment,
            examples: Self.examples + PairingVerbs.examples)
    }

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
