import Glibc
import Measures
import Writers

/// A child process.
final class Program {
    let pid: pid_t

    init(_ words: [String]) { pid = spawn(words) }

    deinit { end(SIGTERM) }

    func end(_ signal: Int32) {
        kill(pid, signal)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }

    /// Processor time so far, in seconds.
    var processorTime: Double {
        guard let file = fopen("/proc/\(pid)/stat", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 1024)
        guard fgets(&line, 1024, file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        // After the name, which is in brackets: the 12th and the 13th value.
        let values = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        return ((Double(values[12]) ?? 0) + (Double(values[13]) ?? 0)) / Double(sysconf(2))
    }
}

/// A Redis server.
final class Redis {
    let socket: String
    private let folder: String
    private(set) var program: Program

    init(in folder: String) {
        (self.folder, socket) = (folder, "\(folder)/redis.sock")
        program = Self.start(folder)
        awaitPong()
    }

    private static func start(_ folder: String) -> Program {
        Program([
            "redis-server", "--port", "0", "--unixsocket", "\(folder)/redis.sock", "--dir", folder,
            "--save", "", "--appendonly", "yes", "--appendfsync", "always",
        ])
    }

    private func awaitPong() {
        while true {
            if let client = Client(socket) {
                client.send("PING\r")
                if client.readOnce().starts(with: "+PONG".utf8) { return }
            }
            usleep(200)
        }
    }

    /// Kills it and starts it again. Returns when it answers.
    func restart() {
        program.end(SIGKILL)
        program = Self.start(folder)
        awaitPong()
    }

    /// Bytes received and sent so far.
    var traffic: Int {
        guard let client = Client(socket) else { stop("Redis is gone") }
        client.send("INFO stats\r")
        let lines = String(decoding: client.readOnce(), as: UTF8.self).split(separator: "\r\n")
        return ["total_net_input_bytes:", "total_net_output_bytes:"].reduce(0) { sum, name in
            let line = lines.first { $0.hasPrefix(name) }
            return sum + (line.flatMap { Int($0.dropFirst(name.count)) } ?? 0)
        }
    }
}

/// A busd with its own store.
final class Daemon {
    let socket: String
    let program: Program

    /// - Parameter redis: the log of the house; `nil`: the daemon is in no house.
    init(_ busd: String, in folder: String, redis: Redis? = nil) {
        socket = "\(folder)/busd.sock"
        var words = [
            busd, "--socket", socket, "--state", "\(folder)/state", "--connections", "20000",
            "--log-level", "error",
        ]
        if let redis { words += ["--house", "bench", "--log", "unix:\(redis.socket)"] }
        program = Program(words)
        while true {
            if let client = Client(socket) {
                client.send(redis == nil ? "ping" : #"{"op":"get","to":"bus/house","id":1}"#)
                let answer = String(decoding: client.readOnce(), as: UTF8.self)
                if redis == nil || answer.contains(#""state":"following""#) { return }
            }
            usleep(1_000)
        }
    }

    var processorTime: Double { program.processorTime }
}
