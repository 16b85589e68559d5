import Glibc
import Testing

/// A folder of its own, removed with all that is in it.
final class Folder {
    let path: String

    init() throws {
        var template = Array("/tmp/busd-test-XXXXXX".utf8CString)
        path = String(cString: try #require(mkdtemp(&template)))
    }

    deinit { _ = try? Child.run("rm", "-rf", path) }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ text: String, to name: String) throws {
        let file = try #require(fopen(self(name), "w"))
        defer { fclose(file) }
        fputs(text, file)
    }
}

/// What was built beside these tests.
enum Products {
    static func path(_ name: String) throws -> String {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let tests = String(decoding: buffer[..<max(0, length)].map(UInt8.init), as: UTF8.self)
        let folder = tests[..<(tests.lastIndex(of: "/") ?? tests.startIndex)]
        let path = "\(folder)/\(name)"
        try #require(access(path, X_OK) == 0, "there is no \(path): build the whole package")
        return path
    }
}

/// The package, as a person has it before them.
enum Package {
    static let root = String(#filePath.dropLast("/Tests/SystemTests/Support/Folder.swift".count))

    static func path(_ name: String) -> String { "\(root)/\(name)" }

    static func text(_ name: String) throws -> String {
        try Child.run("cat", path(name)).output
    }

    static func names(in folder: String) throws -> [String] {
        try Child.run("ls", path(folder)).output.split(separator: "\n").map(String.init)
    }
}

/// Whether these programs are here; says so where they are not, for a test that needs them.
func areHere(_ programs: String...) -> Bool {
    let missing = programs.filter { program in
        (try? Child.run("bash", "-c", "command -v \(program)"))?.status != 0
    }
    if !missing.isEmpty { print("skipped: there is no \(missing.joined(separator: ", ")) here") }
    return missing.isEmpty
}
