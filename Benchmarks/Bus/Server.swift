import Glibc
import Load
import Measures

/// A kind of server: how to start it, and how to speak to it.
struct System: Sendable {
    let name: String
    let wire: Wire
    /// The command line of a server on a socket. Only this server uses the folder.
    let command: @Sendable (_ socket: String, _ folder: String) -> [String]

    static func busd(_ program: String, under wrapper: [String] = []) -> System {
        System(name: "busd", wire: .busd) { socket, _ in
            wrapper + [
                program, "--socket", socket, "--state", ":memory:", "--log-level", "error",
                "--connections", "20000",
            ]
        }
    }

    static func floor(_ program: String, _ kind: String) -> System {
        System(name: "C, by \(kind)", wire: .floor) { socket, _ in [program, kind, socket] }
    }

    static let redis = System(name: "Redis", wire: .redis) { socket, folder in
        [
            "redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder,
            "--logfile", "\(folder)/log", "--maxclients", "19000",
        ]
    }

    static let mosquitto = System(name: "mosquitto", wire: .mosquitto) { socket, folder in
        let path = "\(folder)/conf"
        let user = geteuid() == 0 ? "user root\n" : ""
        write(
            "listener 0 \(socket)\nallow_anonymous true\nlog_dest none\nmax_connections -1\n\(user)",
            to: path)
        return ["mosquitto", "-c", path]
    }

    /// Whether its program is installed.
    var isInstalled: Bool {
        let program = command("/", "/tmp")[0]
        return program.contains("/")
            || run(["sh", "-c", "command -v \(program) || command -v /usr/sbin/\(program)"]).isDone
    }
}

/// A running server, in its own folder.
final class Server {
    let system: System
    let socket: String
    let process: pid_t
    /// From exec to the first connection, in seconds.
    let startTook: Double

    init(_ system: System) {
        let folder = newFolder()
        self.system = system
        socket = "\(folder)/socket"
        let start = Clock.now
        process = spawn(system.command(socket, folder))
        while Clock.now - start < 20 {
            if let client = Caller(socket) {
                if system.name == "busd" { client.ask("ping") }
                startTook = Clock.now - start
                load_pin(process, 0)
                return
            }
            sched_yield()
        }
        stop("\(system.name) does not answer")
    }

    deinit {
        kill(process, SIGTERM)
        var status: Int32 = 0
        waitpid(process, &status, 0)
    }

    /// Resident memory in kilobytes.
    var memory: Int {
        guard let file = fopen("/proc/\(process)/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, 256, file) != nil else { return 0 }
        let numbers = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split(separator: " ")
        return (Int(numbers[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) / 1024
    }
}

/// Sends requests to busd, one after the other.
final class Caller {
    private let file: Int32
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    init?(_ path: String) {
        file = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if !connect(file, to: path) { return nil }
    }

    deinit { close(file) }

    /// Sends a line, and waits for the answer.
    func ask(_ line: String) {
        let text = Array("\(line)\n".utf8)
        if Glibc.write(file, text, text.count) != text.count { stop("busd does not read") }
        if read(file, &buffer, buffer.count) <= 0 { stop("busd has closed the connection") }
        if buffer[2] == UInt8(ascii: "e") {
            stop(String(decoding: buffer.prefix(200), as: UTF8.self))
        }
    }
}

extension Server {
    /// Creates games with three players on each side: seven view models per game. One game has a
    /// point.
    func makeGames(_ count: Int) {
        guard system.name == "busd", let caller = Caller(socket) else { return }
        let team = #"{"name":"T","players":["a","b","c"]}"#
        for _ in 0..<count {
            caller.ask(
                #"{"op":"send","to":"games","event":{"createGame":{"home":\#(team),"away":\#(team)}},"id":1}"#
            )
        }
        caller.ask(Work.onePointMove.sends[0].dropLast() + #","id":1}"#)
    }
}
