import BusdEventLoop
import BusdProtocol
import Glibc

/// A daemon that listens at a control socket, as its answer to `hello` describes it.
struct RunningDaemon {
    let socket: String
    /// The folder of its store; `nil` if it keeps nothing, or if this user is not to know.
    let state: String?
    let keepsState: Bool

    /// Milliseconds that a daemon may take to answer.
    private static let patience: Int32 = 5_000
    /// Bytes of an answer, at most.
    private static let longestAnswer = 1 << 16

    /// The daemon at the first of the sockets at which one listens; `nil` if there is none.
    static func find(at sockets: [String]) throws(StartError) -> RunningDaemon? {
        for socket in sockets {
            switch connectUnix(path: socket) {
            case .connected(let descriptor): return try RunningDaemon(at: socket, descriptor)
            case .failed(let error) where [ENOENT, ECONNREFUSED].contains(error.code): continue
            case .failed(let error):
                throw StartError(
                    "\(socket): \(error.reason): ask as root, or name the store with --state")
            case .backlogFull:
                throw StartError("\(socket): the daemon has too many clients waiting: try again")
            }
        }
        return nil
    }

    private init(at socket: String, _ descriptor: Descriptor) throws(StartError) {
        let document = JSONDocument(ofDaemon: true)
        guard let line = Self.answer(of: descriptor),
            (try? document.read(line, limits: Limits())) != nil,
            let answer = document.root?["ok"]
        else { throw StartError("\(socket): what listens there does not answer as a daemon does") }
        self.socket = socket
        state = answer["state"]?.text
        keepsState = answer["durability"]?.text.map { ExactText($0) } != ExactText("none")
        if let state { try Self.checkOwner(of: state, descriptor, socket) }
    }

    private static func answer(of socket: Descriptor) -> [UInt8]? {
        let request = Array("{\"op\":\"hello\",\"protocol\":1}\n".utf8)
        // A fresh socket has room for a line.
        _ = request.withUnsafeBytes { socket.write($0) }
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let end = ContinuousClock.now + .milliseconds(Int(patience))  // fits: 32 bits do
        while line.count < longestAnswer, ContinuousClock.now < end,
            Wait.forReadable(socket.number, milliseconds: patience)
        {
            switch buffer.withUnsafeMutableBytes({ socket.read(into: $0) }) {
            case .bytes(let count): line += buffer[..<count]
            case .wouldBlock: break
            case .ended, .failed: return nil
            }
            if let end = line.firstIndex(of: UInt8(ascii: "\n")) { return Array(line[..<end]) }
        }
        return nil
    }

    /// A daemon of another user could name any folder, and root would change the store in it.
    private static func checkOwner(
        of folder: String, _ descriptor: Descriptor, _ socket: String
    ) throws(StartError) {
        var about = stat()
        guard let user = try? PeerCredentials(of: descriptor).user else {
            throw StartError("\(socket): the daemon's user is unknown: name the store with --state")
        }
        // The socket of a unit belongs to systemd, which is root.
        guard user != 0, user != geteuid() else { return }
        guard stat(folder, &about) == 0, about.st_uid == user else {
            throw StartError(
                "\(socket): the daemon runs as user \(user), and its store \(folder.printable) "
                    + "belongs to another user: name the store with --state")
        }
    }
}

extension Maintenance {
    /// The store that `--state` names, else that of the running daemon, else the default store.
    init(ofRunningDaemonOr settings: Settings) throws {
        guard !settings.namesState else {
            try self.init(settings)
            return
        }
        if let daemon = try RunningDaemon.find(at: settings.clientSockets) {
            self.init(folder: try daemon.folder)
        } else if settings.namesSocket, let socket = settings.clientSockets.first {
            throw StartError(
                "\(socket): no daemon listens there: start it, or name the store with --state")
        } else {
            try self.init(settings)
        }
    }
}

extension RunningDaemon {
    fileprivate var folder: String {
        get throws(StartError) {
            if let state { return state }
            throw StartError(
                keepsState
                    ? "\(socket): only root and the daemon's own user may ask for its store"
                    : "\(socket): the daemon there keeps nothing: start one with --state DIR")
        }
    }
}
