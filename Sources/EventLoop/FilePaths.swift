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
