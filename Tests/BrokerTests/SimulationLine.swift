import BusdProtocol

/// A line of the bus, as a client of the simulation reads it.
enum SimulatedLine {
    /// A line with an event.
    struct Said {
        var from = ""
        var seq = 0
        var isSnapshot = false
        var hasMore = false
        /// The `id` of the request that caused it.
        var cause: Int?
        var name = ""
        var json = ""
    }

    case said(Said)
    case live(String, mark: String, seq: Int, done: Cursor)
    case livePattern(String)
    case gone(String)
    case gap(String, missed: Int)
    case ok(JSONValue, id: Int?)
    case refused(code: String, seq: Int?, done: Cursor?, id: Int?)
    case ping
    case bye

    /// Reads a line into `document`. The result is valid until the document reads another line.
    init?(_ line: String, _ document: JSONDocument) {
        guard (try? document.read(Array(line.utf8))) != nil, let root = document.root,
            let (key, value) = root.members.first(where: { _ in true })
        else { return nil }
        switch key.text {
        case "from": self = .said(Self.said(root))
        case "live": self = Self.live(value, root["cursor"], root["done"])
        case "gone": self = .gone(value.text ?? "")
        case "gap": self = .gap(value.text ?? "", missed: root["missed"]?.integer ?? 0)
        case "ok": self = .ok(value, id: root["id"]?.integer)
        case "error":
            self = .refused(
                code: value["code"]?.text ?? "", seq: value["seq"]?.integer,
                done: value["done"]?.text.flatMap(Cursor.init), id: root["id"]?.integer)
        case "ping": self = .ping
        case "bye": self = .bye
        default: return nil
        }
    }

    private static func said(_ root: JSONValue) -> Said {
        var said = Said()
        for (key, value) in root.members {
            switch key.text {
            case "from": said.from = value.text ?? ""
            case "seq": said.seq = value.integer ?? -1
            case "snapshot": said.isSnapshot = true
            case "more": said.hasMore = true
            case "cause": said.cause = value["id"]?.integer
            default:
                said.name = value.members.first { _ in true }?.key.text ?? ""
                said.json = String(decoding: value.json, as: UTF8.self)
            }
        }
        return said
    }

    private static func live(
        _ value: JSONValue, _ cursor: JSONValue?, _ done: JSONValue?
    ) -> Self {
        guard let cursor = cursor?.text.flatMap(Cursor.init),
            let done = done?.text.flatMap(Cursor.init)
        else { return .livePattern(value.text ?? "") }
        return .live(value.text ?? "", mark: cursor.mark, seq: cursor.seq, done: done)
    }
}

/// Reads lines. It keeps lines with events, because several clients get the same line.
final class SimulatedReader {
    private let document = JSONDocument()
    private var known: [String: SimulatedLine] = [:]

    /// The result is valid until the next call.
    func read(_ text: String) -> SimulatedLine? {
        if let line = known[text] { return line }
        let line = SimulatedLine(text, document)
        if case .said = line { known[text] = line }
        return line
    }
}

/// The values that a view model shows, in the order in which each was first emitted.
struct SimulatedValues: Equatable {
    private(set) var values: [(name: String, json: String)] = []

    static func == (a: Self, b: Self) -> Bool {
        a.values.elementsEqual(b.values) { $0 == $1 }
    }

    /// Applies an event, as a view does.
    mutating func apply(_ name: String, _ json: String) {
        switch name {
        case "left", "right", "items", "parts", "views", "count": set(name, json)
        case "appended": append(json)
        default: break
        }
    }

    private mutating func set(_ name: String, _ json: String) {
        if let place = values.firstIndex(where: { $0.name == name }) {
            values[place].json = json
        } else {
            values.append((name, json))
        }
    }

    /// `{"appended":{"item":"x"}}` after `{"items":{"list":["w"]}}`.
    private mutating func append(_ json: String) {
        guard let place = values.firstIndex(where: { $0.name == "items" }) else { return }
        let item = json.dropFirst(#"{"appended":{"item":"#.count).dropLast(2)
        let list = values[place].json.dropLast(3)
        values[place].json = list + (list.hasSuffix("[") ? "" : ",") + item + "]}}"
    }

    func only(_ names: Set<String>?) -> SimulatedValues {
        guard let names else { return self }
        var kept = SimulatedValues()
        kept.values = values.filter { names.contains($0.name) }
        return kept
    }
}
