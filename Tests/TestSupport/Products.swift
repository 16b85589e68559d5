import Glibc
import Testing

/// The programs that were built with these tests.
package enum Products {
    package static var folder: String {
        get throws { String(try path("busd").dropLast("/busd".count)) }
    }

    package static func path(_ name: String) throws -> String {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let tests = String(decoding: buffer[..<max(0, length)].map(UInt8.init), as: UTF8.self)
        let folder = tests[..<(tests.lastIndex(of: "/") ?? tests.startIndex)]
        let path = "\(folder)/\(name)"
        try #require(access(path, X_OK) == 0, "there is no \(path): build the whole package")
        return path
    }
}
