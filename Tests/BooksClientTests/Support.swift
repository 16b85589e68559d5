import BusdClient
import BusdOptions
import BusdProtocol
import Testing

@testable import books

func json(_ text: String) throws -> JSONValue {
    let document = JSONDocument()
    try document.read(Array(text.utf8), limits: BusLine.limits)
    return try #require(document.root)
}

/// The arguments of a command line. Throws unless the line runs a verb.
func arguments(_ words: String...) throws -> Arguments {
    guard case .run(let arguments) = try Settings.program.parse(words) else { throw NotRun() }
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
