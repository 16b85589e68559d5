import BusdProtocol

/// The settings and the state of Redis that a house depends on.
struct EngineSettings {
    static let questions = [
        ["INFO", "server"], ["ROLE"],
        [
            "CONFIG", "GET", "appendonly", "maxmemory-policy", "appendfsync",
            "no-appendfsync-on-rewrite",
        ],
        ["INFO", "persistence"],
    ]

    /// Why the log cannot be used now; the first reason.
    private(set) var obstacle: String?
    /// Redis is starting or busy, so the obstacle needs no administrator.
    private(set) var isTransient = false
    /// Why answered changes may not survive a power cut.
    private(set) var warning: String?
    /// Redis keeps no append-only file, or has not written all of it since it keeps one again.
    private(set) var lacksFile: Bool
    /// Redis has the functions of a house.
    private(set) var hasFunctions = false

    /// - Parameter lackedFile: `lacksFile` when Redis was asked before. Only this tells the first
    ///   writing of the file from a later one: a restart of Redis would lose the entries before it.
    init(lackedFile: Bool = false) { lacksFile = lackedFile }

    mutating func note(_ question: [String], _ reply: RedisValue) {
        if case .error(let text) = reply {
            if question[0] == "CONFIG", !text.isOfStartingRedis {
                warning = "the settings of Redis cannot be read (\(text.printable))"
            } else {
                obstruct(Self.advice(on: text))
                isTransient = text.isOfStartingRedis
            }
            return
        }
        switch question[0] {
        case "INFO" where question[1] == "server": noteVersion(reply)
        case "INFO": noteFile(reply)
        case "ROLE" where reply[0].string != "master":
            obstruct("Redis is a replica: name its primary")
        case "CONFIG": noteSettings(reply)
        case "FUNCTION": hasFunctions = HouseFunctions.areLoaded(reply)
        case "FCALL" where reply[0].string == "damaged":
            obstruct(HouseFunctions.otherEnd)
        default: break
        }
    }

    private mutating func obstruct(_ reason: String) { obstacle = obstacle ?? reason }

    private mutating func noteSettings(_ reply: RedisValue) {
        if reply["appendonly"].string != "yes" {
            obstruct("Redis keeps no append-only file: set appendonly yes")
        }
        if reply["maxmemory-policy"].string != "noeviction" {
            obstruct(
                "Redis may remove keys when its memory is full: set maxmemory-policy noeviction")
        }
        if reply["appendfsync"].string != "always" {
            warning = "Redis syncs once per second or less: set appendfsync always"
        } else if reply["no-appendfsync-on-rewrite"].string != "no" {
            warning =
                "Redis does not sync while it rewrites its file: set no-appendfsync-on-rewrite no"
        }
    }

    private mutating func noteFile(_ reply: RedisValue) {
        let names = ["aof_enabled", "aof_rewrite_in_progress", "aof_rewrite_scheduled"]
        let values = names.map { Self.value(of: $0, in: reply) }
        if values[0] != "1" {
            lacksFile = true
            obstruct("Redis keeps no append-only file: set appendonly yes")
        } else if lacksFile {
            lacksFile = values[1] != "0" || values[2] != "0"
            if lacksFile { obstruct("Redis has not written all of its append-only file yet") }
        }
    }

    private mutating func noteVersion(_ reply: RedisValue) {
        let version = Self.value(of: "redis_version", in: reply) ?? "unknown"
        let digits = version.utf8.prefix { $0 != UInt8(ascii: ".") }
        let major = Int(String(decoding: digits, as: UTF8.self))  // fits: else it is nil
        if major ?? 0 < 7 {
            obstruct("Redis 7 or later is needed, and this is \(version.printable)")
        }
    }

    /// A value in an answer to `INFO`.
    private static func value(of name: String, in info: RedisValue) -> String? {
        let lines = info.bytes?.split { $0 == .lineFeed || $0 == .carriageReturn } ?? []
        let start = Array("\(name):".utf8)
        return lines.first { $0.starts(with: start) }.map {
            String(decoding: $0.dropFirst(start.count), as: UTF8.self)
        }
    }

    /// Why the functions of a house cannot be loaded; `nil` if they are loaded.
    static func problem(ofLoading reply: RedisValue) -> String? {
        guard case .error(let text) = reply else { return nil }
        return "Redis cannot load the functions of a house: \(text.printable)"
    }

    /// An error of Redis, and what to do.
    static func advice(on error: String) -> String {
        let advice =
            if error.begins("NOAUTH") {
                ": give user and password with --log-credentials"
            } else if error.begins("WRONGPASS") {
                ": correct the file of --log-credentials"
            } else if error.begins("NOPERM") {
                ": give the user of the daemon this permission"
            } else if error.begins("OOM") {
                ": its memory is full, raise maxmemory"
            } else {
                ""
            }
        return "Redis refuses: \(error.printable)\(advice)"
    }
}

extension String {
    fileprivate func begins(_ start: String) -> Bool { utf8.starts(with: start.utf8) }

    /// Redis is reading its file, or running a long script.
    fileprivate var isOfStartingRedis: Bool { begins("LOADING") || begins("BUSY") }
}
