import BusdEventLoop
import BusdProtocol
import Glibc

/// The owner of a folder for files of a daemon. A command that root runs on the folder of another
/// user acts as this user. Otherwise it would create files that the daemon cannot open, and a link
/// in the folder could lead it anywhere.
package struct FolderOwner {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }
    }

    private let folder: String
    private let program: String
    /// `nil`: the process acts as itself.
    private let user: uid_t?
    private let group: gid_t
    /// The user's name in passwd(5), to find its other groups.
    private let name: String?

    /// - Parameters:
    ///   - folder: if it is missing, the folder above it decides.
    ///   - program: its name, for messages.
    package init(of folder: String, _ program: String) {
        (self.folder, self.program) = (folder, program)
        var about = stat()
        guard geteuid() == 0, Self.look(at: folder, &about), about.st_uid != 0 else {
            (user, group, name) = (nil, 0, nil)
            return
        }
        let entry = getpwuid(about.st_uid)?.pointee
        user = about.st_uid
        group = entry?.pw_gid ?? about.st_gid
        name = entry?.pw_name.map { String(cString: $0) }
    }

    private static func look(at path: String, _ about: inout stat) -> Bool {
        var path = path
        while stat(path, &about) != 0 {
            guard errno == ENOENT, path != ".", path != "/" else { return false }
            path = parentFolder(of: path)
        }
        return true
    }

    /// Calls `body` as the owner of the folder.
    package func act<Value>(_ body: () throws -> Value) throws -> Value {
        guard let user else { return try body() }
        let caller = try Identity.current()
        // The process becomes the caller again, even if only a part of `become` succeeds.
        let outcome = Result {
            try become(user)
            return try body()
        }
        try caller.resume()
        return try outcome.get()
    }

    private func become(_ user: uid_t) throws {
        let hasGroups = name.map { initgroups($0, group) } ?? setgroups(1, [group])
        guard hasGroups == 0, setegid(group) == 0, seteuid(user) == 0 else {
            throw Failure(
                "\(folder): cannot act as its owner, user \(user): run \(program) as this user")
        }
        let found = faccessat(AT_FDCWD, folder, X_OK, AT_EACCESS)
        guard found != 0, errno == EACCES else { return }
        throw Failure(
            "\(folder): its owner, user \(user), cannot reach it: let that user pass through the "
                + "folders above it")
    }
}

/// The effective user and groups of the process.
private struct Identity {
    let user: uid_t
    let group: gid_t
    let groups: [gid_t]

    static func current() throws -> Identity {
        var groups = [gid_t](repeating: 0, count: Int(widening: max(0, getgroups(0, nil))))
        let count = getgroups(Int32(clamping: groups.count), &groups)
        guard count >= 0 else {
            throw FolderOwner.Failure("getgroups: \(String(cString: strerror(errno)))")
        }
        return Identity(
            user: geteuid(), group: getegid(),
            groups: Array(groups.prefix(Int(widening: count))))
    }

    /// The user is restored first, because only root may change the groups.
    func resume() throws {
        guard seteuid(user) == 0, setegid(group) == 0, setgroups(groups.count, groups) == 0 else {
            throw FolderOwner.Failure("cannot act as user \(user) again")
        }
    }
}
