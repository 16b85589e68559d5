import TestSupport
import Testing

/// The files of the package.
enum Package {
    static let root = String(#filePath.dropLast("/Tests/SystemTests/Support/Package.swift".count))

    static func path(_ name: String) -> String { "\(root)/\(name)" }

    static func text(_ name: String) throws -> String {
        try Child.run("cat", path(name)).output
    }

    static func names(in folder: String) throws -> [String] {
        let outcome = try Child.run("ls", path(folder))
        outcome.expect(output: outcome.output)
        return outcome.output.split(separator: "\n").map(String.init)
    }
}
