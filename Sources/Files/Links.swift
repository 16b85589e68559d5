import Glibc

/// The absolute path without symbolic links; `nil`, and `errno`, if nothing is there.
package func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
}

/// The text of a symbolic link; `nil`, and `errno`, if there is no link.
package func target(ofLink path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
}
