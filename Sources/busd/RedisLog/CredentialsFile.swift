import BusdFiles
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
        do {
            return try readFile(path, most: Self.largest, .configured) { about in
                about.st_mode & forbidden == 0
                    ? nil : "can be read by other users: chmod 600 \(path)"
            }
        } catch .system(let error) {
            throw .refused("\(path): \(error)")
        } catch .notRegular {
            throw .refused("\(path) is not a file")
        } catch {
            throw .refused("\(path) \(error.reason(of: path))")
        }
    }

    /// systemd lets the user of a unit read a credential of root through an access control list,
    /// which shows as read permission of the group.
    private var forbidden: mode_t {
        guard let folderOfSystemd else { return 0o077 }
        return path.utf8.starts(with: "\(folderOfSystemd)/".utf8) ? 0o037 : 0o077
    }
}
