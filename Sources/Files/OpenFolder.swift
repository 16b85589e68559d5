package import BusdEventLoop
package import Glibc

/// An open folder. It stays the same folder if another user renames or replaces it meanwhile.
///
/// All files that are not written by SQLite are replaced here, in one step:
///
/// - The new content is written to another file, which is made for it: nothing that has its name
///   is opened or followed. This file is synced, then it gets the name, then the folder is synced.
/// - A reader sees the old content or the new one, and so does a start after a crash. After
///   `replace` has returned, a crash leaves the new content.
/// - If `replace` throws, the old content is there; only if the sync of the folder has failed, a
///   crash leaves either one. A crash may leave the other file; the next `replace` removes it.
/// - A symbolic link at the name is replaced, not followed. The file belongs to the effective user.
package struct OpenFolder {
    package let path: String
    package let descriptor: Descriptor

    /// - Parameter followsLink: for the last name of the path.
    package init(_ path: String, followsLink: Bool = true) throws(SystemError) {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)
        descriptor = Descriptor(file: try check("open") { open(path, flags) })
        self.path = path
    }

    /// The name of a file while it is written.
    package static func unfinished(_ name: String) -> String { "\(name).new" }

    /// - Parameter mode: whatever the umask is; `nil`: the mode of the old file or, for a new one,
    ///   that of the umask.
    package func replace(
        _ name: String, mode: mode_t? = 0o600, with bytes: [UInt8]
    ) throws(SystemError) {
        let new = Self.unfinished(name)
        try replace(name, by: new, mode: mode, failure: \.self) { file throws(SystemError) in
            try file.write(all: bytes[...])
        }
    }

    /// - Parameters:
    ///   - new: the name of the other file; one that others cannot guess, in a folder of others.
    ///   - failure: makes the error of a failed system call.
    package func replace<Failure: Error>(
        _ name: String, by new: String, mode: mode_t? = 0o600, failure: (SystemError) -> Failure,
        content: (Descriptor) throws(Failure) -> Void
    ) throws(Failure) {
        func orFail<Value>(_ body: () throws(SystemError) -> Value) throws(Failure) -> Value {
            do { return try body() } catch { throw failure(error) }
        }
        let folder = descriptor.number
        unlinkat(folder, new, 0)
        do {
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let file = Descriptor(
                file: try orFail { () throws(SystemError) in
                    try check("open") { openat(folder, new, flags, mode ?? 0o666) }
                })
            // Before the content, which may be private.
            try orFail { () throws(SystemError) in
                guard let mode = mode ?? self.mode(of: name) else { return }
                try check("fchmod") { fchmod(file.number, mode) }
            }
            try content(file)
            try orFail { () throws(SystemError) in
                try file.sync()
                try check("rename") { renameat(folder, new, folder, name) }
            }
        } catch {
            unlinkat(folder, new, 0)
            throw error
        }
        try orFail(descriptor.sync)
    }

    private func mode(of name: String) -> mode_t? {
        var about = stat()
        return fstatat(descriptor.number, name, &about, 0) == 0 ? about.st_mode & 0o777 : nil
    }

    /// Reads a regular file whole. A symbolic link is not followed.
    package func read(_ name: String, most: Int) throws(FileFault) -> [UInt8] {
        try Descriptor(opening: name, .own, in: descriptor).readAll(most: most)
    }

    /// The names in the folder, in no order, without `.` and `..`.
    package func names() throws(SystemError) -> [String] {
        let number = descriptor.number
        let copy = try check("open") { openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard let stream = fdopendir(copy) else {
            defer { close(copy) }
            throw SystemError(code: errno, function: "fdopendir")
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Removes a file, or a link. When this returns, the disk has it no more. False: there is none.
    @discardableResult
    package func remove(_ name: String) throws(SystemError) -> Bool {
        let folder = descriptor.number
        do {
            try check("unlink") { unlinkat(folder, name, 0) }
        } catch {
            if error.code == ENOENT { return false }
            throw error
        }
        try descriptor.sync()
        return true
    }
}

/// Replaces a file that a user names, as `OpenFolder` does. A symbolic link at the path stays, and
/// the file that it leads to is replaced. The file keeps its mode.
package func replaceFile(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    let real = realPath(path) ?? path
    try OpenFolder(parentFolder(of: real)).replace(lastName(of: real), mode: nil, with: bytes)
}
