import Glibc

// Paths are split by bytes: a slash and a combining mark behind it are one Character.

/// The folder that the last name of the path is in: "." for a path without a slash, "/" for a name
/// in the root.
package func parentFolder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// The bytes after the last slash: none if the path ends with one.
package func lastName(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
}

/// The part of the path that has to be a folder and is something else; `nil`: none is found.
package func fileInPlaceOfFolder(in path: String) -> String? {
    var part = path
    while true {
        let parent = parentFolder(of: part)
        guard !parent.utf8.elementsEqual(part.utf8) else { return nil }
        part = parent
        var about = stat()
        if stat(part, &about) == 0 { return about.st_mode & S_IFMT == S_IFDIR ? nil : part }
    }
}

extension SystemError {
    /// After `ENOTDIR`: which part of the path is not a folder.
    package func folderProblem(in path: String) -> String? {
        guard code == ENOTDIR else { return nil }
        return fileInPlaceOfFolder(in: path).map { "\($0) is not a folder" }
    }
}
