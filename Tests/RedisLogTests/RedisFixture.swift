import TestSupport

@testable import BusdRedisLog

extension RedisFixture {
    var address: RedisAddress { .unix(path: socket) }
    var access: RedisAccess { RedisAccess(address) }

    @discardableResult
    func run(_ words: String...) throws -> RedisValue { try RedisCaller(address).run(words) }
}
