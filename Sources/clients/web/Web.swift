import BusdEventLoop
import BusdOptions
import BusdProtocol
import CBusdSystem
import Glibc

@main enum Web {
    static func main() {
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
                try Settings.checkUse(arguments)
                if let report = try PairingVerbs.run(arguments) { finish(report) }
                try WebServer(Settings(arguments)).run()
            }
        } catch let error as UsageError {
            Log.write(lines: error.description)
            exit(ExitStatus.usage.rawValue)
        } catch let error as StateFault {
            end("\(error)", error.status)
        } catch {
            end("\(error)", .failed)
        }
        flush()
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
