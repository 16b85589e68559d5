extension Request {
    /// Reads the request that a document holds.
    package init(_ document: JSONDocument, limits: Limits) throws(RequestRefusal) {
        var fields = RequestFields(document, longestText: limits.text)
        do throws(WireError) {
            try fields.find()
            self.init(id: fields.id, operation: try fields.operation())
        } catch {
            throw RequestRefusal(error: error, id: fields.id)
        }
    }
}

/// The members of a request object, found in one walk.
struct RequestFields: ~Copyable {
    /// With a new key, `places` needs another place, and `KeySet` has room for 16.
    enum Key: Int, CaseIterable {
        case op, id, to, event, ifSeq, key, `as`, only, since, `protocol`, name, ifDone

        static let names = allCases.map { String(describing: $0) }
        /// At most 16 bytes each, so that each is compared as one number.
        private static let shortNames = names.map { UInt128(short: $0.utf8) }

        var name: String { Self.names[rawValue] }

        /// `nil` for a key that no operation knows.
        init?(_ shortName: UInt128?) {
            guard let shortName, let known = Self.shortNames.firstIndex(of: shortName) else {
                return nil
            }
            self.init(rawValue: known)
        }
    }

    /// Some of the keys, a bit each.
    struct KeySet: ExpressibleByArrayLiteral {
        private var bits: UInt16 = 0

        init(arrayLiteral keys: Key...) { for key in keys { insert(key) } }

        mutating func insert(_ key: Key) { bits |= 1 << key.rawValue }
        func contains(_ key: Key) -> Bool { bits & 1 << key.rawValue != 0 }
        func isSubset(of other: KeySet) -> Bool { bits & ~other.bits == 0 }
    }

    private let document: JSONDocument
    private(set) var id: Request.ID?
    private let longestText: Int
    /// The node of the value of each key; 0, the node of the request itself, if there is none.
    private var places = InlineArray<12, Int32>(repeating: 0)
    private var present: KeySet = []
    /// There is a key that no operation knows.
    private var hasOthers = false

    init(_ document: JSONDocument, longestText: Int) {
        self.document = document
        self.longestText = longestText
    }

    /// Finds the members, and reads the `id`.
    mutating func find() throws(WireError) {
        guard document.root?.kind == .object else {
            throw WireError(.parse, "a request must be a JSON object")
        }
        var key = 1
        while key < document.node(0).next {
            if let known = Key(document.shortText(key)) {
                places[known.rawValue] = Int32(truncatingIfNeeded: key + 1)
                present.insert(known)
            } else {
                hasOthers = true
            }
            key = document.node(key + 1).next
        }
        if let value = self[.id] { id = try readID(value) }
    }

    private func place(_ key: Key) -> Int? {
        let place = places[key.rawValue]
        return place == 0 ? nil : Int(truncatingIfNeeded: place)
    }

    private subscript(key: Key) -> JSONValue? {
        place(key).map { JSONValue(document: document, index: $0) }
    }

    private func readID(_ value: JSONValue) throws(WireError) -> Request.ID {
        if let text = value.text, text.utf8.count <= longestText { return .text(text) }
        if let integer = value.integer { return .integer(integer) }
        throw WireError(
            .badRequest,
            "`id` must be a text of at most \(longestText) bytes or an integer of at most 2^53 - 1 "
                + "in size")
    }

    private enum Name: String, CaseIterable {
        case hello, list, describe, get, subscribe, unsubscribe, send, ping, help

        private static let shortNames = allCases.map { UInt128(short: $0.rawValue.utf8) }

        init?(_ shortName: UInt128?) {
            guard let shortName, let known = Self.shortNames.firstIndex(of: shortName) else {
                return nil
            }
            self = Self.allCases[known]
        }
    }

    func operation() throws(WireError) -> Request.Operation {
        let op = try requiredPlace(.op)
        guard let name = Name(document.shortText(op)) else {
            guard let text = document.text(op) else { throw Self.notText(.op) }
            throw Self.unknownOp(text)
        }
        switch name {
        case .hello: return try hello()
        case .list:
            try allow([.to])
            guard let to = self[.to] else { return .list(.everything) }
            return .list(try pattern(to))
        case .describe:
            try allow([.to])
            guard self[.to] != nil else { return .describe(nil) }
            return .describe(
                try address("`to` must be the address of a view model or the name of a kind"))
        case .get:
            try allow([.to])
            return .get(try address())
        case .subscribe: return .subscribe(try subscribe())
        case .unsubscribe:
            try allow([.to])
            return .unsubscribe(try pattern(required(.to)))
        case .send: return .send(try send())
        case .ping:
            try allow([])
            return .ping
        case .help:
            try allow([.as])
            return .help(inWords: try isInWords())
        }
    }

    // MARK: Operations

    private func hello() throws(WireError) -> Request.Operation {
        try allow([.protocol, .name])
        guard let version = try required(.protocol).integer else {
            throw WireError(.badRequest, "`protocol` must be an integer")
        }
        guard version == 1 else {
            throw WireError(
                .unsupportedProtocol, "this daemon speaks protocol 1, not \(version)")
        }
        return .hello(name: try limitedText(.name))
    }

    private func subscribe() throws(WireError) -> Request.Subscribe {
        try allow([.to, .as, .only, .since])
        var subscribe = Request.Subscribe(to: try pattern(required(.to)))
        subscribe.as = try limitedText(.as)
        if let only = self[.only] { subscribe.only = try names(only) }
        if let since = self[.since] { subscribe.since = try cursor(since) }
        guard subscribe.since == nil || subscribe.to.address != nil else {
            throw WireError(.badRequest, "`since` needs one address, not a pattern")
        }
        return subscribe
    }

    private func send() throws(WireError) -> Request.Send {
        try allow([.to, .event, .ifSeq, .ifDone, .key])
        return Request.Send(
            to: try address(), event: try required(.event), ifSeq: try seqCondition(),
            key: try limitedText(.key), ifDone: try doneCondition())
    }

    // MARK: Members

    /// Refuses every key but these, `op`, `id`, and keys that begin with `x-`.
    private func allow(_ keys: KeySet) throws(WireError) {
        var allowed = keys
        allowed.insert(.op)
        allowed.insert(.id)
        guard hasOthers || !present.isSubset(of: allowed), let object = document.root else {
            return
        }
        for (key, _) in object.members {
            let name = key.text ?? ""
            let known = Key(document.shortText(key.index))
            let isAllowed = known.map(allowed.contains) ?? name.utf8.starts(with: "x-".utf8)
            guard isAllowed else {
                throw WireError(.badRequest, "this request has no key `\(name.clipped)`")
            }
        }
    }

    private func requiredPlace(_ key: Key) throws(WireError) -> Int {
        guard let place = place(key) else { throw Self.missing(key) }
        return place
    }

    private func required(_ key: Key) throws(WireError) -> JSONValue {
        JSONValue(document: document, index: try requiredPlace(key))
    }

    private func text(_ key: Key) throws(WireError) -> String {
        guard let text = document.text(try requiredPlace(key)) else { throw Self.notText(key) }
        return text
    }

    private func limitedText(_ key: Key) throws(WireError) -> String? {
        guard self[key] != nil else { return nil }
        let text = try text(key)
        guard text.utf8.count <= longestText else {
            throw WireError(
                .overloaded, "`\(key.name)` must have at most \(longestText) bytes (limit text)")
        }
        return text
    }

    private func seqCondition() throws(WireError) -> SeqCondition? {
        guard let value = self[.ifSeq] else { return nil }
        if let seq = value.integer { return .seq(seq) }
        if let cursor = value.text.flatMap(Cursor.init) { return .cursor(cursor) }
        throw WireError(
            .badRequest,
            "`ifSeq` must be a cursor that busd has sent, or an integer of at most 2^53 - 1 in size"
        )
    }

    private func doneCondition() throws(WireError) -> Cursor? {
        guard let done = self[.ifDone] else { return nil }
        return try cursor(done, "`ifDone` must be a `done` that busd has sent")
    }

    private func address(
        _ wanted: String = "`to` must be the address of one view model"
    ) throws(WireError) -> Address {
        let place = try requiredPlace(.to)
        if let address = document.address(place) { return address }
        throw document.node(place).kind == .text
            ? WireError(.badRequest, wanted) : Self.notText(.to)
    }

    private func pattern(_ value: JSONValue) throws(WireError) -> Pattern {
        guard let pattern = value.text.flatMap(Pattern.init) else {
            throw WireError(.badRequest, "`to` must be an address or a pattern")
        }
        return pattern
    }

    private func names(_ value: JSONValue) throws(WireError) -> Set<ExactText> {
        var names: Set<ExactText> = []
        guard value.kind == .list else { throw Self.notNames }
        for element in value.elements {
            guard let name = element.text else { throw Self.notNames }
            // No event has a longer name.
            if name.utf8.count <= longestText { names.insert(ExactText(name)) }
        }
        return names
    }

    private func cursor(
        _ value: JSONValue, _ wanted: String = "`since` must be a cursor from a `live` line"
    ) throws(WireError) -> Cursor {
        guard let cursor = value.text.flatMap(Cursor.init) else {
            throw WireError(.badRequest, wanted)
        }
        return cursor
    }

    private func isInWords() throws(WireError) -> Bool {
        guard let form = self[.as] else { return false }
        guard form.isExactly(text: "words") else {
            throw WireError(.badRequest, "`as` must be \"words\", or left out")
        }
        return true
    }
}
