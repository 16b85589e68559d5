import BusdProtocol
import CBusdHiredis

/// A reply of Redis.
enum RedisValue: Equatable {
    case null
    case number(Int)
    case text([UInt8])
    case list([RedisValue])
    case error(String)

    init(_ reply: UnsafePointer<redisReply>) {
        let content = reply.pointee
        switch content.type {
        case REDIS_REPLY_INTEGER: self = .number(Int(widening: content.integer))
        case REDIS_REPLY_ERROR: self = .error(String(decoding: content.bytes, as: UTF8.self))
        case REDIS_REPLY_STRING, REDIS_REPLY_STATUS: self = .text(Array(content.bytes))
        case REDIS_REPLY_ARRAY:
            let elements = UnsafeBufferPointer(start: content.element, count: content.elements)
            self = .list(elements.map { $0.map { Self($0) } ?? .null })
        default: self = .null
        }
    }

    var bytes: [UInt8]? { if case .text(let bytes) = self { bytes } else { nil } }
    var string: String? { bytes.flatMap { String(validating: $0, as: UTF8.self) } }
    var list: [RedisValue]? { if case .list(let values) = self { values } else { nil } }

    /// A number, or a text that is a number. `nil` also for a number so large that a sum with it
    /// could overflow.
    var number: Int? {
        guard case .number(let number) = self else { return string.flatMap { Int(peer: $0) } }
        return number.magnitude <= Limits.largestInteger ? number : nil
    }

    /// The number of an entry, or of none.
    var entryNumber: Int? { number.flatMap { LogEntry.numbers.contains($0) ? $0 : nil } }

    /// A time of the house, in microseconds.
    var instant: Instant? {
        number.map { Instant(microseconds: Int64(widening: $0)) }
            .flatMap { Instant.stored.contains($0.microseconds) ? $0 : nil }
    }

    /// An identity, an origin or a chain: 1 to 64 letters and digits of ASCII.
    var name: String? {
        string.flatMap { text in
            text.utf8.allSatisfy(\.isLetterOrDigit) && 1...64 ~= text.utf8.count ? text : nil
        }
    }

    /// An element of a list; `null` if there is none at this index.
    subscript(index: Int) -> RedisValue {
        guard let list, list.indices.contains(index) else { return .null }
        return list[index]
    }

    /// The value of a name, in a list of names and values.
    subscript(name: String) -> RedisValue {
        guard let list else { return .null }
        for place in stride(from: 0, to: list.count - 1, by: 2)
        where list[place].bytes.map({ $0.elementsEqual(name.utf8) }) == true {
            return list[place + 1]
        }
        return .null
    }
}

extension redisReply {
    fileprivate var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: str, count: len) }
}
