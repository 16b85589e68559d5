/// The files of the package.
enum Package {
    static let root = String(#filePath.dropLast("/Tests/SystemTests/Support/Package.swift".count))

    static func path(_ name: String) -> String { "\(root)/\(name)" }

    static func text(_ name: String) throws -> String {
        try Child.run("cat", path(name)).output
    }

    static func names(in folder: String) throws -> [String] {
        try Child.run("ls", path(folder)).output.split(separator: "\n").map(String.init)
    }
}

/// Whether these programs are installed. If not, it prints that a test is skipped.
func areInstalled(_ programs: String...) -> Bool {
    let missing = programs.filter { program in
        (try? Child.run("bash", "-c", "command -v \(program)"))?.status != 0
    }
    if !missing.isEmpty { print("skipped: there is no \(missing.joined(separator: ", ")) here") }
    return missing.isEmpty
}
