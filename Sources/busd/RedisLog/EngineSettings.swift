/// The settings of Redis that a house depends on.
struct EngineSettings {
    static let questions = [
        ["INFO", "server"], ["ROLE"], ["CONFIG", "GET", "appendonly"],
        ["CONFIG", "GET", "maxmemory-policy"], ["CONFIG", "GET", "appendfsync"],
        ["CONFIG", "GET", "no-appendfsync-on-rewrite"],
    ]

    /// The error of a Redis that is starting or busy.
    private(set) var notReady: String?
    /// Why this Redis cannot hold a house.
    private(set) var obstacle: String?
    /// Why answered changes may not survive a power cut.
    private(set) var warning: String?

    mutating func note(_ question: [String], _ reply: RedisValue) {
        if case .error(let text) = reply {
            if text.isOfStartingRedis { notReady = text }
            if text.begins("NOAUTH") || text.begins("NOPERM") && question[0] != "CONFIG" {
                obstacle = "Redis refuses: \(text)"
            } else if question[0] == "CONFIG" {
                warning = "the settings of Redis cannot be read (\(text))"
            }
            return
        }
        switch question.last {
        case "server": noteVersion(reply)
        case "ROLE" where reply[0].string != "master":
            obstacle = "Redis is a replica: name its master"
        case "appendonly" where reply[1].string != "yes":
            obstacle = "Redis keeps no append-only file: set appendonly yes"
        case "maxmemory-policy" where reply[1].string != "noeviction":
            obstacle =
                "Redis may remove keys when its memory is full: "
                + "set maxmemory-policy noeviction"
        case "appendfsync" where reply[1].string != "always":
            warning = "Redis syncs once per second or less: set appendfsync always"
        case "no-appendfsync-on-rewrite" where reply[1].string != "no":
            warning =
                "Redis does not sync while it rewrites its file: "
                + "set no-appendfsync-on-rewrite no"
        default: break
        }
    }

    private mutating func noteVersion(_ reply: RedisValue) {
        let lines = reply.string?.split(whereSeparator: \.isNewline) ?? []
        let line = lines.first { String($0).begins("redis_version:") } ?? ""
        let version = String(decoding: line.utf8.dropFirst(14), as: UTF8.self)
        let digits = version.utf8.prefix { $0 != UInt8(ascii: ".") }
        guard case let number = String(decoding: digits, as: UTF8.self),
            let major = Int(number), major >= 7  // fits: else it is nil
        else {
            obstacle = "Redis 7 or later is needed, and this is \(version)"
            return
        }
    }

    mutating func noteLoading(_ reply: RedisValue) {
        guard case .error(let text) = reply else { return }
        if text.isOfStartingRedis {
            notReady = text
        } else {
            obstacle = obstacle ?? "Redis cannot load the functions of a house: \(text)"
        }
    }
}

extension String {
    fileprivate func begins(_ start: String) -> Bool { utf8.starts(with: start.utf8) }

    /// Redis is reading its file, or running a long script.
    fileprivate var isOfStartingRedis: Bool { begins("LOADING") || begins("BUSY") }
}
