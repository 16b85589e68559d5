public import BusdProtocol

extension BusLine {
    /// The limits of lines from the daemon: a snapshot can be long. Each JSON value takes 16 bytes
    /// of memory in addition to the line.
    package static let limits = {
        var limits = Limits()
        limits.line = 64 << 20
        limits.depth = 128
        limits.values = 8 << 20
        limits.marks = .max
        return limits
    }()

    /// Reads any object. It is `unknown` if it lacks the keys of every known kind of line.
    public init(_ object: JSONValue) {
        self = Self.event(object) ?? Self.answer(object) ?? Self.notice(object) ?? .unknown
    }

    private static func event(_ object: JSONValue) -> BusLine? {
        guard let from = object.address("from"), let seq = object["seq"]?.integer,
            let event = object["event"], event.kind == .object
        else { return nil }
        return .event(
            BusEvent(
                from: from, seq: seq, isSnapshot: object["snapshot"]?.boolean ?? false,
                hasMore: object["more"]?.boolean ?? false,
                cause: object["cause"].flatMap(BusEvent.Cause.init), event: event))
    }

    private static func answer(_ object: JSONValue) -> BusLine? {
        let id = object["id"].flatMap(Request.ID.init)
        if let value = object["ok"] { return .ok(value, id: id) }
        return object["error"].flatMap(WireError.init).map { .refusal($0, id: id) }
    }

    private static func notice(_ object: JSONValue) -> BusLine? {
        if let to = object["live"]?.text.flatMap(Pattern.init) {
            return .live(to: to, cursor: object["cursor"]?.text.flatMap(Cursor.init))
        }
        if let address = object.address("gone") { return .gone(address) }
        if let address = object.address("gap") {
            return .gap(address, missed: object["missed"]?.integer ?? 0)
        }
        if object["ping"] != nil { return .ping }
        return object["bye"].map { bye in
            .bye(code: bye["code"]?.text ?? "", message: bye["message"]?.text ?? "")
        }
    }
}

extension BusEvent.Cause {
    fileprivate init?(_ value: JSONValue) {
        guard let connection = value["connection"]?.integer,
            let id = value["id"].flatMap(Request.ID.init)
        else { return nil }
        self.init(connection: connection, id: id)
    }
}

extension Request.ID {
    fileprivate init?(_ value: JSONValue) {
        if let text = value.text {
            self = .text(text)
        } else if let integer = value.integer {
            self = .integer(integer)
        } else {
            return nil
        }
    }
}

extension WireError {
    /// A code that only newer daemons have becomes `internal`. The message is kept.
    fileprivate init?(_ value: JSONValue) {
        guard let code = value["code"]?.text, let message = value["message"]?.text else {
            return nil
        }
        self.init(
            Code(rawValue: code) ?? .internal, message, path: value["path"]?.text,
            suggestions: value["suggestions"]?.elements.compactMap(\.text) ?? [],
            seq: value["seq"]?.integer, done: value["done"]?.text.flatMap(Cursor.init))
    }
}

extension JSONValue {
    fileprivate func address(_ key: String) -> Address? { self[key]?.text.flatMap(Address.init) }
}
