import EventLoop
import Glibc
import Options
import Storage

/// What can be done with a store besides serving it: `busd check` and `busd backup FILE`.
struct Maintenance {
    static let verbs = [
        Verb("check", "verify the store of a daemon that does not run"),
        Verb(
            "backup", "write a consistent copy of the store, also while the daemon runs",
            operands: [Operand("FILE")]),
    ]

    /// A daemon that gets SIGUSR1 writes a copy under this name, in the folder of the store.
    static let copyName = "backup.sqlite"

    let folder: String
    /// So many milliseconds a daemon may take to write a copy.
    private let patience: Int

    init(_ settings: Settings, patience: Int = 60_000) throws(StartError) {
        self.patience = patience
        guard let folder = settings.state.path else {
            throw StartError("nothing is kept in :memory:")
        }
        self.folder = folder
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
        do throws(StoreError) {
            try Store.backup(folder: folder, to: path)
        } catch .inUse(_, let process?) {
            try askDaemon(Int32(process))
            try copy(to: path)
        }
        print("\(path): the copy is complete")
    }

    // MARK: While the daemon runs

    private var made: String { "\(folder)/\(Self.copyName)" }

    /// The daemon alone can read its store; it makes the copy beside it.
    func askDaemon(_ process: Int32) throws(StartError) {
        let before = identity(of: made)
        guard kill(process, SIGUSR1) == 0 else {
            throw StartError("process \(process) can't be asked: \(reason(errno))")
        }
        for _ in 0..<(patience / 50) {
            if let now = identity(of: made), now != before { return }
            poll(nil, 0, 50)
        }
        throw StartError("process \(process) has made no copy; its log says why")
    }

    /// The copy is renamed into place when it is whole, so another inode means another copy.
    private func identity(of path: String) -> UInt64? {
        var about = stat()
        return stat(path, &about) == 0 ? UInt64(about.st_ino) : nil
    }

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
