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
        try TestSupport.write(Array(text.utf8), to: self(name), mode: 0o644)
    }

    package func text(of name: String) throws -> String {
        String(decoding: try bytes(of: self(name)), as: UTF8.self)
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

/// The content of a file.
package func bytes(of path: String) throws -> [UInt8] {
    try #require(presentBytes(of: path), "\(path) cannot be read")
}

/// `nil` if the file cannot be opened.
package func presentBytes(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(file, &part, part.count), count > 0 { bytes += part[..<count] }
    return bytes
}

/// Replaces the content of a file, or makes the file.
package func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    try #require(file >= 0, "\(path) cannot be written")
    defer { close(file) }
    try #require(write(file, bytes, bytes.count) == bytes.count)
}

/// The permission bits of a file, or of a link itself; nil if there is none.
package func mode(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
}
