package import BusdEventLoop
package import Glibc

/// What a path may lead to.
package enum FilePlace {
    /// A file that a user names for one command: also a pipe or a device. Symbolic links are
    /// followed, and opening a FIFO waits for its writer.
    case named
    /// A file that a daemon is configured with: a regular file, also behind symbolic links.
    /// Opening waits for nothing.
    case configured
    /// A file in a folder of the program: a regular file, and no symbolic link. Opening waits for
    /// nothing.
    case own

    fileprivate var flags: Int32 {
        switch self {
        case .named: O_CLOEXEC
        case .configured: O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        case .own: O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW
        }
    }
}

/// The content of a file.
///
/// - Parameters:
///   - most: bytes; a longer file is an error.
///   - problem: asked before the file is read; a reason refuses the file.
package func readFile(
    _ path: String, most: Int = .max, _ place: FilePlace = .named,
    unless problem: (stat) -> String? = { _ in nil }
) throws(FileFault) -> [UInt8] {
    let file = try Descriptor(opening: path, place)
    if let reason = problem(file.status) { throw .refused(reason) }
    return try file.readAll(most: most)
}

extension Descriptor {
    /// Opens a file. The kind of the open file is checked, so nothing can be replaced in between.
    ///
    /// - Parameters:
    ///   - access: such as `O_RDWR | O_CREAT`. A file that is made is for its owner only.
    ///   - folder: a relative path begins there, else in the working folder.
    package convenience init(
        opening path: String, _ place: FilePlace, _ access: Int32 = O_RDONLY,
        in folder: Descriptor? = nil
    ) throws(FileFault) {
        let (start, flags) = (folder?.number ?? AT_FDCWD, access | place.flags)
        let number: Int32
        do {
            number = try check("open") { openat(start, path, flags, 0o600) }
        } catch {
            var about = stat()
            guard place == .own, fstatat(start, path, &about, AT_SYMLINK_NOFOLLOW) == 0,
                let kind = irregularKind(of: about.st_mode)
            else { throw .system(error) }
            throw .notRegular(kind)
        }
        self.init(file: number)
        if place == .named { return }
        if let kind = irregularKind(of: status.st_mode) { throw .notRegular(kind) }
    }

    /// Of the open file; zeros, which are no file or folder, if it is not known.
    package var status: stat {
        var about = stat()
        fstat(number, &about)
        return about
    }

    /// The bytes up to the end.
    package func readAll(most: Int) throws(FileFault) -> [UInt8] {
        var (bytes, part) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 14))
        while true {
            switch part.withUnsafeMutableBytes(read) {
            case .bytes(let count): bytes += part[..<count]
            case .ended: return bytes
            case .wouldBlock: throw .system(SystemError(code: EAGAIN, function: "read"))
            case .failed(let error): throw .system(error)
            }
            if bytes.count > most { throw .tooLarge(most) }
        }
    }

    /// Writes all bytes to a file.
    package func write(all bytes: ArraySlice<UInt8>) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch rest.withUnsafeBytes(write) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .failed(let error): throw error
            case .ended, .wouldBlock: throw SystemError(code: EIO, function: "write")
            }
        }
    }

    /// Copies the bytes up to the end to another file.
    ///
    /// - Parameter stops: asked before each portion; true ends the copy, and the result is false.
    package func copyAll(
        to target: Descriptor, stops: () -> Bool = { false }
    ) throws(SystemError) -> Bool {
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while !stops() {
            switch part.withUnsafeMutableBytes(read) {
            case .bytes(let count): try target.write(all: part[..<count])
            case .ended: return true
            case .wouldBlock: throw SystemError(code: EAGAIN, function: "read")
            case .failed(let error): throw error
            }
        }
        return false
    }

    /// Waits until the content of a file, or the names in a folder, are on the disk.
    package func sync() throws(SystemError) {
        let number = number
        try check("fsync") { fsync(number) }
    }
}
