import BusdOptions
import BusdRedisLog
import Glibc

/// Settings of a daemon in a house: `--house`, `--log` and `--member`.
struct HouseSettings {
    let house: HouseName
    let address: RedisAddress
    /// The name of this daemon in the table.
    let member: String

    /// `nil` unless the daemon is in a house.
    init?(_ arguments: Arguments, _ options: DaemonOptions) throws(UsageError) {
        // `busd house` has another use for --log.
        if arguments.verb != nil { return nil }
        let name = arguments[options.house]
        let log = arguments[options.log]
        guard let name else {
            guard log == nil, !arguments.has(options.member) else {
                throw arguments.error("--log and --member need --house")
            }
            return nil
        }
        guard let house = HouseName(name) else {
            throw arguments.error(
                "--house: a name has 1 to 32 letters, digits, dashes and dots")
        }
        guard let log else { throw arguments.error("--house needs --log") }
        guard let address = RedisAddress(log) else {
            throw arguments.error("--log: give unix:/PATH or tcp:HOST:PORT")
        }
        (self.house, self.address) = (house, address)
        member = arguments[options.member] ?? Self.hostName
    }

    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "?" }
        return String(
            decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
