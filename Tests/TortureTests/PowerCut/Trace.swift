import TestSupport
import Testing

/// The system calls of a daemon, as strace has recorded them, in order. A write to a socket counts
/// when it begins, each other call when it ends.
struct Trace {
    enum Event {
        case created(String)
        case removed(String)
        case renamed(String, to: String)
        case wrote(String, [UInt8], at: Int)
        case cut(String, to: Int)
        case synced(String)
        /// To a client, or to anything else that is not a file.
        case sent([UInt8])
    }

    private(set) var events: [Event] = []
    private var unfinished: [Substring: Substring] = [:]

    /// The command prefix that traces a program.
    static func words(log: String) -> [String] {
        let calls = "pwrite64,write,sendto,fdatasync,fsync,ftruncate,openat,unlink,rename"
        return [
            "strace", "-D", "-f", "-qq", "-y", "-xx", "-s", "100000", "-o", log, "-e",
            "trace=\(calls)",
        ]
    }

    init(_ log: String) throws {
        let text = String(decoding: try bytes(of: log), as: UTF8.self)
        for line in text.split(separator: "\n") { read(line) }
    }

    private mutating func read(_ line: Substring) {
        guard let space = line.firstIndex(of: " ") else { return }
        let thread = line[..<space]
        let call = line[space...].drop { $0 == " " }
        let mark = " <unfinished ...>"
        if call.hasPrefix("<... ") {
            guard let begun = unfinished.removeValue(forKey: thread),
                let end = call.firstIndex(of: ">")
            else { return }
            // A `sendto` was recorded when it began.
            if !begun.hasPrefix("sendto") { take(begun + call[call.index(after: end)...]) }
        } else if call.hasSuffix(mark) {
            unfinished[thread] = call.dropLast(mark.count)
            if call.hasPrefix("sendto") { take(call) }
        } else {
            take(call)
        }
    }

    private mutating func take(_ call: Substring) {
        let name = call.prefix { $0 != "(" }
        let texts = Self.texts(in: call)
        let hasFailed = call.hasSuffix(")") && call.contains(" = -1 ")
        if hasFailed { return }
        let first = texts.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        switch name {
        case "openat" where call.contains("O_CREAT") && texts.count > 1:
            events.append(.created(String(decoding: texts[1], as: UTF8.self)))
        case "unlink": events.append(.removed(first))
        case "rename" where texts.count > 1:
            events.append(.renamed(first, to: String(decoding: texts[1], as: UTF8.self)))
        case "pwrite64" where texts.count > 1:
            events.append(.wrote(first, texts[1], at: Self.lastNumber(in: call)))
        case "ftruncate": events.append(.cut(first, to: Self.lastNumber(in: call)))
        case "fsync", "fdatasync": events.append(.synced(first))
        case "sendto" where texts.count > 1: events.append(.sent(texts[1]))
        default: break
        }
    }

    /// The last number before the result.
    private static func lastNumber(in call: Substring) -> Int {
        let arguments = call.utf8.prefix { $0 != UInt8(ascii: "=") }
        let digits = arguments.reversed().drop { !(48...57).contains($0) }
            .prefix { (48...57).contains($0) }.reversed()
        return Int(String(decoding: digits, as: UTF8.self)) ?? 0
    }

    /// All texts that are written as `\x0a\x0b`, paths and data, in order.
    private static func texts(in call: Substring) -> [[UInt8]] {
        var texts: [[UInt8]] = []
        var text: [UInt8] = []
        let bytes = Array(call.utf8)
        var at = 0
        while at < bytes.count {
            if at + 3 < bytes.count, bytes[at] == UInt8(ascii: "\\") {
                text.append(hex(bytes[at + 2]) << 4 | hex(bytes[at + 3]))
                at += 4
            } else {
                if !text.isEmpty { texts.append(text) }
                text = []
                at += 1
            }
        }
        return texts
    }

    private static func hex(_ digit: UInt8) -> UInt8 {
        digit < UInt8(ascii: "a") ? digit &- 48 : digit &- 87
    }
}
