import BusdEventLoop
import BusdOptions

/// Why the state folder, or a file in it, cannot be used now.
struct StateFault: Error, Equatable, CustomStringConvertible {
    /// One sentence, with the path.
    let description: String
    let status: ExitStatus

    init(_ description: String, _ status: ExitStatus = .failed) {
        (self.description, self.status) = (description, status)
    }

    init(_ path: String, _ error: SystemError) {
        self.init("\(path): \(error.folderProblem(in: path) ?? error.reason)")
    }
}
