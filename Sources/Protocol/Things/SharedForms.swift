// Entries and states in the form in which daemons exchange them. A released form never changes; a
// new member is optional.

extension LogEntry {
    private struct Head: Codable {
        var kind: String
        var id: String
        var by: String?
        var uid: Int?
        var daemon: String?
        /// Sixteen hexadecimal digits.
        var key: String?
        var isSentToLibrary: Bool?
        var unchangedSince: Int?
    }

    /// The members that the proposing daemon knows, as one line of JSON, and behind it the action.
    package var sharedForm: [UInt8] {
        get throws {
            try encoded(
                Head(
                    kind: kind, id: id, by: by, uid: uid, daemon: daemon,
                    key: key.map { hexadecimal($0.bits) },
                    isSentToLibrary: isSentToLibrary ? true : nil, unchangedSince: unchangedSince))
                + [.lineFeed] + body
        }
    }

    /// - Parameters number, time: assigned by the log.
    package init(number: Int, time: Instant, sharedForm: [UInt8]) throws(WireError) {
        guard let end = sharedForm.firstIndex(of: .lineFeed) else {
            throw WireError(.badEvent, "it has no action")
        }
        let head = try decoded(Head.self, from: Array(sharedForm[..<end]), mostValues: 100)
        self.init(
            number: number, time: time, kind: head.kind, id: head.id, by: head.by,
            body: Array(sharedForm[(end + 1)...]))
        if let key = head.key {
            guard let bits = UInt64(key, radix: 16) else {
                throw WireError(.badEvent, "its key is not a number")
            }
            self.key = SendKey(bits: bits)
        }
        (uid, daemon) = (head.uid, head.daemon)
        isSentToLibrary = head.isSentToLibrary ?? false
        unchangedSince = head.unchangedSince
        guard isPossible else { throw WireError(.badEvent, "a number or a name is out of range") }
    }
}

extension SavedState {
    private struct KeysForm: Codable {
        var kind: String
        var id: String
        var lastEntry: Int
        var lastEffect: Int
        var summary: String
        var body: String
        /// Sixteen hexadecimal digits each.
        var keys: [String]?
    }

    /// A line of JSON, without its end.
    package var sharedForm: [UInt8] {
        get throws {
            let numbers = SendKeys(keys)?.all ?? []
            return try encoded(
                KeysForm(
                    kind: kind, id: id, lastEntry: lastEntry, lastEffect: lastEffect,
                    summary: String(decoding: summary, as: UTF8.self),
                    body: String(decoding: body, as: UTF8.self),
                    keys: numbers.isEmpty ? nil : numbers.map(hexadecimal)))
        }
    }

    package init(sharedForm: [UInt8]) throws(WireError) {
        let form = try decoded(KeysForm.self, from: sharedForm, mostValues: SendKeys.limit + 100)
        var keys = SendKeys()
        for text in form.keys ?? [] {
            guard let bits = UInt64(text, radix: 16) else {
                throw WireError(.badEvent, "a key is not a number")
            }
            keys.insert(SendKey(bits: bits))
        }
        self.init(
            kind: form.kind, id: form.id, lastEntry: form.lastEntry, lastEffect: form.lastEffect,
            summary: Array(form.summary.utf8), body: Array(form.body.utf8), keys: keys.bytes)
    }
}

/// A value as JSON, for other daemons.
package func sharedText(_ value: some Encodable) throws -> String {
    String(decoding: try encoded(value), as: UTF8.self)
}

package func sharedValue<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8]
) throws(WireError) -> Value {
    try decoded(type, from: bytes, mostValues: 1_000)
}
