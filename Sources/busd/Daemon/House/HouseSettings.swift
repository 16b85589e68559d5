import BusdOptions
import BusdRedisLog
import Glibc

/// Settings of a daemon in a house: `--house`, `--log`, `--log-credentials` and `--member`.
struct HouseSettings {
    let house: HouseName
    let redis: RedisAccess
    /// The name of this daemon in the table.
    let member: String

    /// `nil` unless the daemon is in a house.
    init?(_ arguments: Arguments, _ options: DaemonOptions) throws(UsageError) {
        // The verb `house` has another use for --log.
        if arguments.verb != nil { return nil }
        let name = arguments[options.house]
        guard let name else {
            let others = [options.log, options.logCredentials, options.member]
            guard !others.contains(where: arguments.has) else {
                throw arguments.error("--log, --log-credentials and --member need --house")
            }
            return nil
        }
        guard let house = HouseName(name, of: options.daemon) else {
            throw arguments.error(
                "--house: a name has 1 to 32 letters, digits, dashes and dots")
        }
        guard let redis = try options.redis(arguments) else {
            throw arguments.error("--house needs --log")
        }
        (self.house, self.redis) = (house, redis)
        member = arguments[options.member] ?? Self.hostName
        guard HouseTable.isName(member) else {
            let advice = "a name has 1 to 200 bytes of printable text"
            throw arguments.error(
                arguments.has(options.member)
                    ? "--member: \(advice)"
                    : "the name of this machine cannot be its name in the house: give one with "
                        + "--member; \(advice)")
        }
    }

    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "?" }
        return String(
            decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension DaemonOptions {
    /// `--log` and `--log-credentials`; `nil` without `--log`.
    func redis(_ arguments: Arguments) throws(UsageError) -> RedisAccess? {
        let credentials = try arguments.path(logCredentials)
        guard let text = arguments[log] else { return nil }
        guard let redis = RedisAccess(text, credentials: credentials) else {
            throw arguments.error(
                "--log: give unix:/PATH or tcp:HOST:PORT, or up to 8 of them with commas between")
        }
        return redis
    }
}
