import BusdProtocol
import Testing

/// Sends extreme values in each event of each kind, so that a new event is covered too: the events
/// are those of `describe`.
final class ExtremeEvents {
    /// Sends requests, and returns as many answers.
    private let exchange: ([String]) throws -> [String]
    private var sends = 0
    /// What is wrong with answers.
    private(set) var faults: Set<String> = []
    /// How many sends have changed something.
    private(set) var changes = 0

    init(_ exchange: @escaping ([String]) throws -> [String]) { self.exchange = exchange }

    func run() throws {
        // A library makes things with its first events.
        let known = try addresses()
        let libraries = ["games", "books"].filter(known.contains)
        for _ in 0..<3 {
            for library in libraries {
                try send(try examples(of: library).prefix(library == "games" ? 1 : 5), to: library)
            }
        }
        let kinds = try kinds()
        let drafts = ["game-creator", "book-creator", "login", "echo"].filter(kinds.contains)
            .map { "\($0)/x" }
        let parts = try addresses().filter { $0.utf8.contains(UInt8(ascii: "/")) }
        for address in drafts + parts + libraries where !Self.isOfDaemon(address) {
            let examples = try examples(of: address)
            try send(examples, to: address)
            try send(examples.flatMap { variants(of: $0) }, to: address)
            try send(examples, to: address)
        }
        let pauses = try addresses().map { #"{"op":"send","to":"\#($0)","event":"pause","id":0}"# }
        _ = try exchange(pauses)
    }

    /// They make files, or end the daemon's time.
    private static func isOfDaemon(_ address: String) -> Bool {
        ["bus/store", "bus/policy", "bus/clock"].contains(address)
    }

    /// The values of all durable view models, without an order. A view model of `study` also has a
    /// state of its own: the side of the card.
    func values() throws -> [String] {
        let durable = try addresses().filter { address in
            ["games", "books", "bus/users", "scoreboard/", "cards/"]
                .contains(where: address.hasPrefix)
        }
        let answers = try exchange(durable.map { #"{"op":"get","to":"\#($0)","id":0}"# })
        return try zip(durable, answers).map { address, answer in
            let events = try read(answer)["ok"]?["events"]?.elements
            let texts = events.map { $0.map { String(decoding: $0.json, as: UTF8.self) } }
            return "\(address) \(texts?.sorted() ?? [])"
        }
    }

    private func addresses() throws -> [String] {
        let answer = try exchange([#"{"op":"list","id":0}"#])
        let found = try read(answer.first ?? "")["ok"]?["viewModels"]?.elements
        return (found.map { $0.compactMap { $0["address"]?.text } } ?? []).sorted()
    }

    private func kinds() throws -> [String] {
        let answer = try exchange([#"{"op":"describe","id":0}"#])
        let found = try read(answer.first ?? "")["ok"]?["kinds"]?.elements
        return try #require(found).compactMap { $0["kind"]?.text }
    }

    /// - Parameter name: of a kind, or an address.
    private func examples(of name: String) throws -> [JSONValue] {
        let kind = name.split(separator: "/").first.map { String($0) } ?? name
        let isThere = try addresses().contains(name)
        let word = isThere ? name : kind
        let answer = try exchange([#"{"op":"describe","to":"\#(word)","id":0}"#])
        let events = try read(answer.first ?? "")["ok"]?["viewEvents"]?.elements
        return try #require(events).compactMap { $0["example"] }
    }

    // MARK: Sending

    private func send(_ events: some Sequence<JSONValue>, to address: String) throws {
        try send(events.map { String(decoding: $0.json, as: UTF8.self) }, to: address)
    }

    private func send(_ events: [String], to address: String) throws {
        // A key, too, because an entry with a key is written even without an effect.
        let lines = events.flatMap { event in
            ["", #","key":"k\#(sends)""#].map { key in
                sends += 1
                return #"{"op":"send","to":"\#(address)","event":\#(event)\#(key),"id":\#(sends)}"#
            }
        }
        for start in stride(from: 0, to: lines.count, by: 100) {
            let some = Array(lines[start..<min(start + 100, lines.count)])
            let answers = try exchange(some)
            #expect(answers.count == some.count)
            for (line, answer) in zip(some, answers) { try check(answer, to: line) }
        }
    }

    private func check(_ answer: String, to line: String) throws {
        let answer = try read(answer)
        guard let error = answer["error"], let code = error["code"]?.text else {
            if answer["ok"]?["changed"]?.boolean == true { changes += 1 }
            return
        }
        let path = error["path"]?.text ?? ""
        let event = try read(line)["event"]?.onlyMember
        let isWhole = event?.value.members.first { _ in true } == nil
        let steps = path.split(separator: ".").count
        let isGood =
            switch code {
            case "badEvent": path.hasPrefix("event") && (isWhole || steps > 2)
            case "stale", "overloaded", "notAllowed", "unknownViewModel": true
            default: false
            }
        if !isGood { faults.insert("\(line.prefix(200)): \(code) \(path)") }
    }

    // MARK: Values

    private static let texts = [
        "", " ", "x", "3", "-1", "01", "9007199254740991", #"\u0001"#, #"a\tb\nc"#, #"\u202Ea"#,
        "e" + String(repeating: #"\u0301"#, count: 30), String(repeating: "x", count: 41),
        String(repeating: "水", count: 5_000), "$argon2id$x", "99:59.9", "999999999:00",
    ]
    private static let numbers = [
        "0", "-1", "1", "5", "100", "9007199254740991", "-9007199254740991", "1.5",
    ]

    /// The value with other values at one place, or without it.
    private func variants(of value: JSONValue) -> [String] {
        switch value.kind {
        case .text: Self.texts.map { #""\#($0)""# }
        case .integer, .number: Self.numbers
        case .boolean: ["true", "false"]
        case .null: ["0"]
        case .list: variants(ofList: value.elements.map { $0 })
        case .object: variants(ofObject: value.members.map { $0 })
        }
    }

    private func variants(ofList elements: [JSONValue]) -> [String] {
        let texts = elements.map { String(decoding: $0.json, as: UTF8.self) }
        let lengths = [[], texts + texts, (0..<40).flatMap { _ in texts }]
        let others = elements.indices.flatMap { index in
            variants(of: elements[index]).map { other in
                Array(texts[..<index] + [other] + texts[(index + 1)...])
            }
        }
        return (lengths + others).map { "[" + $0.joined(separator: ",") + "]" }
    }

    private func variants(ofObject members: [(key: JSONValue, value: JSONValue)]) -> [String] {
        let keys = members.map { String(decoding: $0.key.json, as: UTF8.self) }
        let texts = members.map { String(decoding: $0.value.json, as: UTF8.self) }
        return members.indices.flatMap { index in
            ([nil] + variants(of: members[index].value)).map { other in
                let parts = members.indices.compactMap { place in
                    let text = place == index ? other : texts[place]
                    return text.map { "\(keys[place]):\($0)" }
                }
                return "{" + parts.joined(separator: ",") + "}"
            }
        }
    }

    private func read(_ line: String) throws -> JSONValue {
        let document = JSONDocument()
        var limits = Limits()
        (limits.values, limits.marks) = (.max, .max)
        try document.read(Array(line.utf8), limits: limits)
        return try #require(document.root)
    }
}
