package import Glibc
import Testing

/// A new folder, which is removed with its content.
package final class Folder {
    package let path: String

    package init(in parent: String = "/tmp") throws {
        var template = Array("\(parent)/busd-test-XXXXXX".utf8CString)
        path = String(cString: try #require(mkdtemp(&template)))
    }

    deinit { removeAll(path) }

    package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// The names of its content, sorted.
    package var names: [String] { TestSupport.names(in: path) }

    package func write(_ text: String, to name: String) throws {
        let file = try #require(fopen(self(name), "w"))
        defer { fclose(file) }
        fputs(text, file)
    }

    package func text(of name: String) throws -> String {
        let file = try #require(fopen(self(name), "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte >= 0 { bytes.append(UInt8(byte)) }  // fits: a byte
        return String(decoding: bytes, as: UTF8.self)
    }
}

func removeAll(_ path: String) {
    guard unlink(path) != 0 else { return }
    for name in names(in: path) { removeAll("\(path)/\(name)") }
    rmdir(path)
}

/// The names of a folder's content, sorted.
package func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        names.append(
            withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
}

/// The permission bits of a file, or of a link itself; nil if there is none.
package func mode(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
}
