import BusdEventLoop
import BusdFiles
import BusdOptions
import BusdProtocol
import BusdScreens
import Glibc

/// `viewctl expect FILE...`
struct Expect: Command {
    static let name = "expect"
    static let verb = Verb(
        name, "run transcripts, each against a daemon of its own, and report what is different",
        options: [updateOption, programOption],
        operands: [Operand("FILE"), Operand("FILE", .any)])

    static let updateOption = Option(
        "update", "u", "write what was received into the files; comments, … and $name stay")
    static let programOption = Option(
        "program", nil, argument: "PROGRAM",
        "the daemon to run (default: busd beside viewctl, else in PATH)")

    let paths: [String]
    let updates: Bool
    let program: String?

    init(_ arguments: Arguments) throws(UsageError) {
        paths = arguments.operands
        updates = arguments.has(Self.updateOption)
        program = try arguments.path(Self.programOption)
    }

    func run(_ settings: CommandSettings, _ console: Console) -> ExitStatus {
        var first = ExitStatus.done
        let program = program ?? Self.besideViewctl(settings.daemon)
        for path in paths {
            let status = console.status { try run(path, program, console) }
            if first == .done { first = status }
            console.flush()
        }
        return first
    }

    private func run(
        _ path: String, _ program: String, _ console: Console
    ) throws -> ExitStatus {
        let bytes: [UInt8]
        do {
            bytes = try readFile(path)
        } catch {
            throw Outcome(.badInput, "\(path): \(error.reason(of: path))")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Outcome(.badInput, "\(path) is not UTF-8")
        }
        do {
            return try run(try Transcript(text), path, program, console)
        } catch let error as Transcript.Malformed {
            console.writeError("\(path):\(error.line): \(error.message)")
            return .badInput
        }
    }

    private func run(
        _ transcript: Transcript, _ path: String, _ program: String, _ console: Console
    ) throws -> ExitStatus {
        var run = TranscriptRun(try TestDaemon(program))
        do throws(TranscriptRun.Failure) {
            try run.run(transcript)
        } catch {
            for difference in run.differences { report(difference, path, console) }
            console.writeError("\(path)\(error.line.map { ":\($0)" } ?? ""): \(error.message)")
            return error.line == nil ? .noConnection : .badInput
        }
        if updates, !run.differences.isEmpty { return try update(path, with: run, console) }
        for difference in run.differences { report(difference, path, console) }
        guard run.differences.isEmpty else { return .refused }
        console.put(lines: ["\(path): \(run.steps) steps, as expected"])
        return .done
    }

    private func report(
        _ difference: TranscriptRun.Difference, _ path: String, _ console: Console
    ) {
        let place = "\(path):\(difference.line): \(difference.client)"
        switch (difference.expected, difference.got) {
        case (let expected?, let got):
            console.writeError("\(place): expected \(expected)")
            console.writeError("  but got \(got ?? "nothing")")
        case (nil, let got): console.writeError("\(place): not expected: \(got ?? "")")
        }
    }

    // MARK: Files

    /// Replaces the file in one step.
    private func update(
        _ path: String, with run: TranscriptRun, _ console: Console
    ) throws -> ExitStatus {
        do {
            try replaceFile(path, with: run.updated.flatMap { Array("\($0)\n".utf8) })
        } catch {
            throw Outcome(.outputFailed, "\(path): \(error.reason)")
        }
        console.put(lines: ["\(path): updated in \(run.differences.count) places"])
        return .done
    }

    /// The daemon, if it was installed with this program.
    private static func besideViewctl(_ daemon: DaemonName) -> String {
        let own = target(ofLink: "/proc/self/exe") ?? ""
        let folder = own.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let beside = folder.joined(separator: "/") + "/\(daemon)"
        return access(beside, X_OK) == 0 ? beside : daemon.text
    }
}
