import BusdEventLoop
import BusdProtocol
import Glibc

/// A daemon that listens at a control socket, as its answer to `hello` describes it.
struct RunningDaemon {
    let socket: String
    /// The folder of its store; `nil` if it has no store, or if this user may not know the folder.
    let state: String?
    let keepsState: Bool
    let client: ControlClient

    /// Milliseconds that a daemon may take to answer.
    static let timeout: Int32 = 5_000

    private static let remedy =
        "only root and the daemon's own user may ask for its store: run the command as root, or "
        + "name the store with --state"

    /// The daemon at the first socket that has a listener; `nil` if no socket has one.
    ///
    /// - Parameters:
    ///   - remedy: what to do if this user cannot connect.
    ///   - starts: whether systemd may start a daemon for the connection.
    ///   - timeout: milliseconds that all answers together may take.
    static func find(
        at sockets: [String], else remedy: String = remedy, starts: Bool = true,
        timeout: Int32 = timeout
    ) throws(StartError) -> RunningDaemon? {
        for socket in sockets where starts || SocketServer.mayServe(socket) {
            switch connectUnix(path: socket) {
            case .connected(let descriptor):
                let daemon = try RunningDaemon(at: socket, descriptor, timeout: timeout)
                if let state = daemon.state { try checkOwner(of: state, descriptor, socket) }
                return daemon
            case .failed(let error) where [ENOENT, ECONNREFUSED].contains(error.code): continue
            case .failed(let error) where [EACCES, EPERM].contains(error.code):
                throw StartError("no permission to connect to \(socket): \(remedy)")
            case .failed(let error):
                throw StartError("\(socket): \(error.reason): name the store with --state")
            case .backlogFull:
                throw StartError("\(socket): the daemon has too many clients waiting: try again")
            }
        }
        return nil
    }

    /// - Parameter timeout: milliseconds that all answers together may take.
    init(at socket: String, _ descriptor: Descriptor, timeout: Int32) throws(StartError) {
        client = ControlClient(descriptor, timeout: timeout)
        let isViewSocket: Bool
        do {
            let answer = try client.ask { out in
                out.member("op", "hello")
                out.member("protocol", 1)
            }
            isViewSocket = answer["access"]?.text.map { ExactText($0) } == ExactText("view")
            state = answer["state"]?.text
            keepsState = answer["durability"]?.text.map { ExactText($0) } != ExactText("none")
        } catch {
            throw StartError(
                "\(socket): no daemon answers there: name its control socket with --socket")
        }
        guard !isViewSocket else {
            throw StartError(
                "\(socket) is the view socket: name the control socket with --socket")
        }
        self.socket = socket
    }

    /// Else a daemon of another user could name any folder, and root would change the store in it.
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
    /// Uses the store of `--state`, else of the running daemon, else the default store.
    init(ofRunningDaemonOr settings: Settings) throws {
        guard !settings.namesState else {
            try self.init(settings)
            return
        }
        if let daemon = try RunningDaemon.find(at: settings.clientSockets) {
            self.init(settings, folder: try daemon.folder)
        } else if settings.namesSocket, let socket = settings.clientSockets.first {
            throw StartError(
                "\(socket): no daemon listens there: start it, or name the store with --state")
        } else {
            try self.init(settings)
        }
    }

    /// Like `init(ofRunningDaemonOr:)`, for a verb that is refused while a daemon uses the store.
    /// The running daemon comes first here too, so that the refusal names its store, and no other
    /// store is taken for it.
    init(ofStoppedDaemon settings: Settings) throws {
        if !settings.namesState, let folder = try Self.folderInUse(settings) {
            self.init(settings, folder: folder)
        } else {
            try self.init(settings)
        }
    }

    /// The store of the running daemon; `nil` if no daemon with a store runs, or if only the
    /// default store is known to this user.
    private static func folderInUse(_ settings: Settings) throws -> String? {
        do {
            let daemon = try RunningDaemon.find(at: settings.clientSockets, starts: false)
            return try daemon.flatMap { $0.keepsState ? try $0.folder : nil }
        } catch  where settings.hasState {
            return nil
        }
    }
}

extension RunningDaemon {
    fileprivate var folder: String {
        get throws(StartError) {
            if let state { return state }
            throw StartError(
                keepsState
                    ? "\(socket): \(Self.remedy)"
                    : "\(socket): this daemon has no store: start it with --state DIR")
        }
    }
}
