import BusdEventLoop
import BusdProtocol
import Glibc

/// A file with the user and the password for Redis, one per line. An empty first line is the
/// default user of Redis. The file is read for each connection, so a changed password is used by
/// the next one.
struct CredentialsFile: Equatable {
    let path: String
    /// The folder in which systemd puts the credentials of a unit.
    private let folderOfSystemd: String?

    /// Bytes.
    private static let largest = 1_024

    init(
        path: String,
        folderOfSystemd: String? = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
    ) {
        (self.path, self.folderOfSystemd) = (path, folderOfSystemd)
    }

    /// The call that signs in.
    ///
    /// - Throws: `refused` with the path and what to do, never with the content.
    func signIn() throws(HouseError) -> [[UInt8]] {
        var bytes = try read()
        if bytes.last == .lineFeed { bytes.removeLast() }
        let lines = bytes.split(separator: .lineFeed, omittingEmptySubsequences: false)
        guard lines.count == 2, !lines[1].isEmpty else {
            throw .refused("\(path) needs two lines: the user or an empty line, and the password")
        }
        let words = [Array("AUTH".utf8)] + lines.map { Array($0) }
        return words.filter { !$0.isEmpty }
    }

    private func read() throws(HouseError) -> [UInt8] {
        // Opening a FIFO must not wait for its writer.
        let number = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw failure("open") }
        let file = Descriptor(file: number)
        var about = stat()
        guard fstat(file.number, &about) == 0 else { throw failure("fstat") }
        if let problem = problem(of: about) { throw .refused("\(path) \(problem)") }
        var bytes = [UInt8](repeating: 0, count: Self.largest)
        switch bytes.withUnsafeMutableBytes({ file.read(into: $0) }) {
        case .bytes(let count): return Array(bytes[..<count])
        case .ended, .wouldBlock: return []
        case .failed(let error): throw .refused("\(path): \(error)")
        }
    }

    private func failure(_ function: String) -> HouseError {
        .refused("\(path): \(SystemError(code: errno, function: function))")
    }

    private func problem(of about: stat) -> String? {
        guard about.st_mode & S_IFMT == S_IFREG else { return "is not a file" }
        guard about.st_mode & forbidden == 0 else {
            return "can be read by other users: chmod 600 \(path)"
        }
        return about.st_size > Self.largest ? "has more than \(Self.largest) bytes" : nil
    }

    /// systemd lets the user of a unit read a credential of root through an access control list,
    /// which shows as read permission of the group.
    private var forbidden: mode_t {
        guard let folderOfSystemd else { return 0o077 }
        return path.utf8.starts(with: "\(folderOfSystemd)/".utf8) ? 0o037 : 0o077
    }
}
