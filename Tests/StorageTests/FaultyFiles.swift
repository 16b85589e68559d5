import CBusdSQLite
import Glibc
import Synchronization
import TestSupport

/// Files of SQLite that fail on demand. They call the methods of SQLite's own files, but look at
/// the plans of the tests before each write and each sync.
enum FaultyFiles {
    enum Operation: Sendable { case write, sync }

    struct Plan: Sendable {
        /// The plan is for all paths that begin with this text.
        let path: String
        let operation: Operation
        let code: Int32
        /// This many operations fail.
        var failures: Int
        /// Called before each operation.
        var watch: (@Sendable () -> Void)?
        /// Whether the operation is done, although it is reported as a failure.
        var isDone = false
    }

    private struct State: Sendable {
        var plans: [Plan] = []
        /// The path of each open file, by the file's address.
        var paths: [UInt: String] = [:]
        /// The addresses of SQLite's methods for each of our copies, and the reverse.
        var originals: [UInt: UInt] = [:]
        var copies: [UInt: UInt] = [:]
    }

    private static let state = Mutex(State())
    private static let base = UInt(bitPattern: sqlite3_vfs_find("unix"))

    private static func vfs() -> UnsafeMutablePointer<sqlite3_vfs>? { .init(bitPattern: base) }

    static func add(_ plan: Plan) {
        install
        state.withLock { $0.plans.append(plan) }
    }

    static func remove(below folder: String) {
        state.withLock { $0.plans.removeAll { $0.path.utf8.starts(with: folder.utf8) } }
    }

    /// Makes the faulty files the default of the process, once.
    static let install: Void = {
        guard let base = vfs() else { return }
        let faulty = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        faulty.initialize(to: base.pointee)
        faulty.pointee.zName = UnsafePointer(strdup("faulty"))
        faulty.pointee.pNext = nil
        faulty.pointee.xOpen = { _, name, file, flags, out in
            FaultyFiles.open(name, file, flags, out)
        }
        sqlite3_vfs_register(faulty, 1)
    }()

    private static func open(
        _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
        _ out: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let base = vfs(), let file else { return SQLITE_ERROR }
        let code = base.pointee.xOpen(base, name, file, flags, out)
        guard code == SQLITE_OK, let methods = file.pointee.pMethods else { return code }
        let path = name.map { String(cString: $0) } ?? ""
        let original = UInt(bitPattern: methods)
        let copy = state.withLock { state in
            state.paths[UInt(bitPattern: file)] = path
            let copy = state.copies[original] ?? makeCopy(of: original)
            state.copies[original] = copy
            state.originals[copy] = original
            return copy
        }
        file.pointee.pMethods = UnsafePointer(bitPattern: copy)
        return code
    }

    private static func makeCopy(of original: UInt) -> UInt {
        let methods = UnsafePointer<sqlite3_io_methods>(bitPattern: original)
        let copy = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        if let methods { copy.initialize(to: methods.pointee) }
        copy.pointee.xSync = { file, flags in
            FaultyFiles.perform(.sync, file) { $0.pointee.xSync(file, flags) }
        }
        copy.pointee.xWrite = { file, bytes, count, place in
            FaultyFiles.perform(.write, file) { $0.pointee.xWrite(file, bytes, count, place) }
        }
        return UInt(bitPattern: copy)
    }

    private static func perform(
        _ operation: Operation, _ file: UnsafeMutablePointer<sqlite3_file>?,
        _ body: (UnsafePointer<sqlite3_io_methods>) -> Int32
    ) -> Int32 {
        let number = UInt(bitPattern: file)
        let copy = UInt(bitPattern: file?.pointee.pMethods)
        let (original, plan) = state.withLock { state in
            let path = state.paths[number] ?? ""
            let index = state.plans.firstIndex { plan in
                plan.operation == operation && path.utf8.starts(with: plan.path.utf8)
                    && (plan.failures > 0 || plan.watch != nil)
            }
            let plan = index.map { state.plans[$0] }
            if let index { state.plans[index].failures -= 1 }
            return (state.originals[copy] ?? 0, plan)
        }
        plan?.watch?()
        if let plan, plan.failures > 0, !plan.isDone { return plan.code }
        guard let methods = UnsafePointer<sqlite3_io_methods>(bitPattern: original) else {
            return SQLITE_ERROR
        }
        let code = body(methods)
        return plan.map { $0.failures > 0 } == true ? plan?.code ?? code : code
    }
}

extension Folder {
    static let failedSync = SQLITE_IOERR | 4 << 8
    static let failedWrite = SQLITE_IOERR | 3 << 8

    /// The next operations on a file fail.
    ///
    /// - Parameter isDone: whether they are done, although they are reported as failures.
    func fail(
        _ operation: FaultyFiles.Operation, of name: String, code: Int32, times: Int = 1,
        isDone: Bool = false
    ) {
        var plan = FaultyFiles.Plan(
            path: self(name), operation: operation, code: code, failures: times)
        plan.isDone = isDone
        FaultyFiles.add(plan)
    }

    /// Calls `body` before each write to a file in the folder.
    func watch(_ body: @escaping @Sendable () -> Void) {
        var plan = FaultyFiles.Plan(
            path: path, operation: .write, code: SQLITE_OK, failures: 0)
        plan.watch = body
        FaultyFiles.add(plan)
    }

    func endFaults() { FaultyFiles.remove(below: path) }
}
