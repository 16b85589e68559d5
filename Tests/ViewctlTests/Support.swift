import BusdOptions
import BusdProtocol
import BusdScreens
import TestSupport
import Testing

@testable import BusdClient
@testable import BusdEventLoop
@testable import viewctl

let plain = TextStyle(isColoured: false)
let coloured = TextStyle(isColoured: true)

func json(_ text: String) throws -> JSONValue {
    let document = JSONDocument()
    try document.read(Array(text.utf8), limits: BusLine.limits)
    return try #require(document.root)
}

/// The arguments of a command line. Throws unless the line runs a verb.
func arguments(_ words: String...) throws -> Arguments { try arguments(words) }

func arguments(_ words: [String]) throws -> Arguments {
    guard case .run(let arguments) = try Viewctl.program.parse(words) else { throw NotRun() }
    return arguments
}

struct NotRun: Error {}

/// The message of a usage error.
func usageMessage<Value>(_ body: () throws -> Value) -> String? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? UsageError)?.description.split(separator: "\n").first.map(String.init)
    }
}

/// Standard output and standard error as pipes, read after the run.
final class OutputFixture {
    let console: Console
    private let output: Descriptor
    private let errors: Descriptor
    private var inputs: [Descriptor]

    init() throws {
        let (output, first) = try openPipe()
        let (errors, second) = try openPipe()
        self.output = output
        self.errors = errors
        inputs = [first, second]
        console = Console(of: "viewctl", output: first.number, errors: second.number)
    }

    func takeOutput() -> [String] { output.readLines() }

    func takeErrors() -> [String] { errors.readLines() }
}
