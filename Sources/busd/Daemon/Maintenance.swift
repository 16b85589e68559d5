import EventLoop
import Glibc
import Options
import Storage

/// What can be done with a store besides serving it: `busd check`, `busd backup FILE`, and
/// `busd user`.
struct Maintenance {
    static let verbs = [
        Verb("check", "verify the store of a daemon that does not run"),
        Verb(
            "backup", "write a consistent copy of the store, also while the daemon runs",
            operands: [Operand("FILE")]),
        Verb(
            "user",
            "add NAME, remove NAME or list who may sign in, also while the daemon runs; the "
                + "password of who is added is asked for, or is the first line of standard input",
            operands: [Operand("ACTION"), Operand("NAME", .oneOrNone)]),
    ]

    /// Where a daemon that is asked writes a copy.
    static func copy(in folder: String) -> String { "\(folder)/backup.sqlite" }

    let folder: String
    /// So many milliseconds a daemon may take over an errand.
    let patience: Int32

    init(_ settings: Settings, patience: Int32 = 60_000) throws(StartError) {
        self.patience = patience
        guard let folder = settings.state.path else {
            throw StartError("nothing is kept in :memory:")
        }
        self.folder = folder
    }

    static func warn(_ text: String) {
        let line = Array("\(text)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }

    /// Prints what is not as it should be; throws where that is something.
    func check() throws {
        let findings = try Store.check(folder: folder)
        for finding in findings { print(finding) }
        guard findings.isEmpty else {
            throw StartError("\(folder): the store is damaged; what is whole of it is still served")
        }
        print("\(folder): the store is whole")
    }

    func backUp(to path: String) throws {
        try checkTarget(path)
        do throws(StoreError) {
            try Store.backup(folder: folder, to: path)
        } catch .inUse {
            try Errand.backup.ask(folder, patience: patience) { _ throws(StartError) in
                try copy(to: path)
            }
        }
        print("\(path): the copy is complete\(try reservations(about: path))")
    }

    /// A copy has what the store has, and so what is damaged of it, too: looking for that is left
    /// to who asked for the copy, so that nobody waits for it. Throws where there is something.
    func reservations(about path: String) throws(StartError) -> String {
        let findings: [String]
        do {
            findings = try Store.check(copy: path)
        } catch {
            return ", and was not checked: \(error)"
        }
        if findings.isEmpty { return "" }
        throw StartError(
            (["\(path): the copy has all that the store has, and of that is damaged:"] + findings)
                .joined(separator: "\n"))
    }

    /// A copy takes the place of an older one, and of nothing that is no plain file, nor of what
    /// the daemon has in its folder.
    private func checkTarget(_ path: String) throws(StartError) {
        var (own, target) = (stat(), stat())
        let parent = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        if stat(folder, &own) == 0, stat(String(parent), &target) == 0,
            own.st_dev == target.st_dev, own.st_ino == target.st_ino
        {
            throw StartError("\(path) is in the folder of the store, where a copy has no place")
        }
        if lstat(path, &target) == 0, target.st_mode & S_IFMT != S_IFREG {
            throw StartError("\(path) is there, and no plain file")
        }
    }

    // MARK: While the daemon runs

    private var made: String { Self.copy(in: folder) }

    func copy(to path: String) throws(StartError) {
        guard rename(made, path) != 0 else { return }
        guard errno == EXDEV else { throw failure(path) }
        // On another file system the bytes are copied.
        let partial = "\(path).partial"
        let source = try openFile(made, O_RDONLY)
        let target = try openFile(partial, O_WRONLY | O_CREAT | O_TRUNC)
        guard transfer(source, target), fsync(target.number) == 0, rename(partial, path) == 0 else {
            let failure = failure(path)
            unlink(partial)
            throw failure
        }
        unlink(made)
    }

    private func openFile(_ path: String, _ flags: Int32) throws(StartError) -> Descriptor {
        let number = open(path, flags | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw failure(path) }
        return Descriptor(file: number)
    }

    private func failure(_ path: String) -> StartError {
        StartError("\(path): \(reason(errno)); the copy is at \(made)")
    }

    private func transfer(_ source: Descriptor, _ target: Descriptor) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        return buffer.withUnsafeMutableBytes { buffer in
            while case .bytes(let count) = source.read(into: buffer) {
                var rest = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                while !rest.isEmpty {
                    guard case .bytes(let taken) = target.write(rest) else { return false }
                    rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
                }
            }
            return source.read(into: buffer) == .ended
        }
    }

    private func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
