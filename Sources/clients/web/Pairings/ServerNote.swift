import BusdEventLoop
import BusdFiles
import BusdOptions
import BusdProtocol
import Glibc

/// What the verbs need to know of the running server: the file `server` in the state folder.
///
/// The server holds a lock on the file as long as it runs, and the kernel releases the lock at any
/// end of the process. So a note without a lock is that of a server that has ended.
struct ServerNote: Equatable {
    private static let file = "server"
    private static let longest = 4_096

    /// Where browsers find the server, without a slash at the end: `http://court.example:8080`, or
    /// `https://example.org/court`.
    let url: String
    /// The server has a control socket, so phones can be paired.
    let pairsPhones: Bool
    let process: Int

    /// The note of the server that runs now; `nil`: none runs.
    init?(in folder: PrivateFolder) throws(StateFault) {
        let path = "\(folder.path)/\(Self.file)"
        guard let file = try folder.file(Self.file, O_RDONLY),
            try ServerLock.isHeld(on: file, path)
        else { return nil }
        guard let bytes = try? file.readAll(most: Self.longest), let note = Self(content: bytes)
        else { throw StateFault("\(path): busd-web is starting: try again", .tryAgain) }
        self = note
    }

    init(url: String, pairsPhones: Bool, process: Int = Int(clamping: getpid())) {
        (self.url, self.pairsPhones, self.process) = (url, pairsPhones, process)
    }

    /// `nil`: it is damaged, or only partly written.
    init?(content: [UInt8]) {
        let document = JSONDocument()
        guard content.last == .lineFeed,
            (try? document.read(Array(content.dropLast()))) != nil, let root = document.root,
            let url = root["url"]?.text, Self.isURL(url), let pairsPhones = root["scores"]?.boolean,
            let process = root["process"]?.integer
        else { return nil }
        self.init(url: url, pairsPhones: pairsPhones, process: process)
    }

    /// The text is printed, and drawn as a QR code.
    private static func isURL(_ text: String) -> Bool {
        let hasScheme = ["http://", "https://"].contains { text.utf8.starts(with: $0.utf8) }
        return hasScheme && text.utf8.count <= 300 && text.utf8.allSatisfy { 0x21..<0x7F ~= $0 }
    }

    /// Only this machine can open the URL.
    var isLoopback: Bool {
        let host = url.utf8.drop { $0 != UInt8(ascii: "/") }.dropFirst(2)
        let name = host.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") }
        return name.starts(with: "127.".utf8) || name.elementsEqual("localhost".utf8)
            || host.starts(with: "[::1]".utf8)
    }

    private var content: [UInt8] {
        var out = JSONWriter()
        out.object { out in
            out.member("url", url)
            out.member("scores", pairsPhones)
            out.member("process", process)
        }
        return out.bytes + [.lineFeed]
    }

    /// For the server. The note holds as long as the lock exists. There is one server per folder,
    /// so that two phones cannot use a link at the same moment.
    func publish(in state: PairingFolder) throws(StateFault) -> ServerLock {
        let folder = try state.make()
        let path = "\(folder.path)/\(Self.file)"
        guard let file = try folder.file(Self.file, O_RDWR | O_CREAT) else {
            throw StateFault("\(path) is not a regular file: move it away")
        }
        let lock = try ServerLock(file, path)
        do throws(SystemError) {
            try check("ftruncate") { ftruncate(file.number, 0) }
            try file.write(all: content[...])
        } catch {
            throw StateFault(path, error)
        }
        return lock
    }
}

/// The lock of a running server. Dropping it releases it.
///
/// It is a lock of the open file (`F_OFD_SETLK`): asking for its holder acquires nothing, so a verb
/// that asks cannot keep a server from starting.
final class ServerLock {
    // <fcntl.h> has these only under _GNU_SOURCE.
    private static let find: Int32 = 36  // F_OFD_GETLK
    private static let acquire: Int32 = 37  // F_OFD_SETLK

    private let file: Descriptor

    fileprivate init(_ file: Descriptor, _ path: String) throws(StateFault) {
        self.file = file
        do throws(SystemError) {
            var lock = Self.wholeFile
            try check("fcntl") { fcntl(file.number, Self.acquire, &lock) }
        } catch {
            guard error.code == EAGAIN || error.code == EACCES else {
                throw StateFault(path, error)
            }
            throw StateFault(
                "\(path): another busd-web uses this folder: stop it, or name another folder with "
                    + "--state", .tryAgain)
        }
    }

    fileprivate static func isHeld(on file: Descriptor, _ path: String) throws(StateFault) -> Bool {
        do throws(SystemError) {
            var lock = Self.wholeFile
            try check("fcntl") { fcntl(file.number, find, &lock) }
            return lock.l_type != Int16(F_UNLCK)
        } catch {
            throw StateFault(path, error)
        }
    }

    private static var wholeFile: flock {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        return lock
    }
}
