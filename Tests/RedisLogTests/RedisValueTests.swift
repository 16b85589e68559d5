import Testing

@testable import BusdRedisLog

@Suite struct RedisValueTests {
    private static let most = (1 << 53) - 1

    @Test(arguments: [0, -1, most, -most])
    func `A number of Redis is read as a number or a text`(number: Int) {
        #expect(RedisValue.number(number).number == number)
        #expect(RedisValue.text(Array("\(number)".utf8)).number == number)
    }

    @Test(arguments: [most + 1, -most - 1, .max, .min])
    func `A number of Redis that a sum could overflow is not read`(number: Int) {
        #expect(RedisValue.number(number).number == nil)
        #expect(RedisValue.text(Array("\(number)".utf8)).number == nil)
        #expect(RedisValue.text(Array("\(number)-0".utf8)).streamNumber == nil)
    }
}
