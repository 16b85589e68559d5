import BusdProtocol

/// The lines that the bus writes (docs/protocol.md, sections 3 and 4), as bytes: answers, `live`,
/// `gone`, `gap`, `error`, `ping` and `bye`. TurnLog.swift writes the lines of events,
/// Bus+Snapshots.swift those of snapshots.
enum Line {
    /// Writes a line, or the members of an object.
    typealias Writing = (inout JSONWriter) -> Void

    /// - Parameter ok: writes the members of the object `ok`.
    static func answer(
        _ id: Request.ID?, to out: inout JSONWriter, _ ok: Writing
    ) {
        out.object { out in
            out.key("ok")
            out.object(ok)
            if let id { write(id, to: &out) }
        }
    }

    /// - Parameter ok: an object in JSON.
    static func answer(_ id: Request.ID?, _ ok: [UInt8]) -> [UInt8] {
        line { out in
            out.key("ok")
            out.raw(ok)
            if let id { write(id, to: &out) }
        }
    }

    /// The beginning of the answer to a `list`, before its rows.
    static var list: Text {
        var text = Text()
        text.append(#"{"ok":{"viewModels":["#)
        return text
    }

    static func endList(_ text: inout Text, _ id: Request.ID?) {
        text.append("]")
        end(&text, id)
    }

    /// The answer to a `get`.
    static func shown(
        _ id: Request.ID?, _ address: Address, _ position: Position, _ snapshot: Snapshot
    ) -> Text {
        let (cursor, done) = (position.cursor, position.done)
        let start =
            #"{"ok":{"address":"\#(address)","cursor":"\#(cursor)","done":"\#(done)","events":["#
        var text = Text(Array(start.utf8))
        for (index, event) in snapshot.events.enumerated() {
            if index > 0 { text.append(",") }
            text.append(event, snapshot.shared(index))
        }
        text.append("]")
        end(&text, id)
        return text
    }

    /// The beginning of the answer to a `subscribe` with a pattern, before the addresses.
    static func joining(_ pattern: Pattern) -> Text {
        Text(Array(#"{"ok":{"to":"\#(pattern)","matched":["#.utf8))
    }

    static func endJoining(_ text: inout Text, _ id: Request.ID?) {
        text.append(#"],"resumed":false"#)
        end(&text, id)
    }

    private static func end(_ text: inout Text, _ id: Request.ID?) {
        text.append("}")
        if let id {
            var out = JSONWriter()
            id.write(to: &out)
            text.append(#","id":"#)
            text.append(out.bytes, nil)
        }
        text.append("}")
    }

    /// The answer to a `send`. It is written in few pieces, because programs ask for one with each
    /// `send`.
    static func sent(
        _ id: Request.ID, _ outcome: SendReport, _ done: Cursor? = nil, isDuplicate: Bool = false,
        to out: inout JSONWriter
    ) {
        let isShort = outcome.made == nil && done == nil
        out.bytes.append(addingCapacity: 80 + 2 * OutputSpan.longestDecimal) { out in
            out.append(#"{"ok":{"#)
            if let caused = outcome.caused {
                out.append(#""seq":["#)
                out.append(decimal: caused.lowerBound)
                out.append(UInt8(ascii: ","))
                out.append(decimal: caused.upperBound)
                out.append("],")
            }
            out.append(outcome.hasChanged ? #""changed":true"# : #""changed":false"#)
            if isShort { end(&out, isDuplicate: isDuplicate) }
        }
        if !isShort {
            write(outcome.made, done, to: &out)
            out.bytes.append(addingCapacity: 32) { end(&$0, isDuplicate: isDuplicate) }
        }
        id.write(to: &out)
        out.bytes.append(UInt8(ascii: "}"))
    }

    @inline(__always)
    private static func end(_ out: inout OutputSpan<UInt8>, isDuplicate: Bool) {
        if isDuplicate { out.append(#","duplicate":true"#) }
        out.append(#"},"id":"#)
    }

    /// Marks and addresses need no escapes.
    private static func write(_ made: Address?, _ done: Cursor?, to out: inout JSONWriter) {
        if let made { out.bytes.append(contentsOf: #","made":"\#(made)""#.utf8) }
        if let done { out.bytes.append(contentsOf: #","done":"\#(done)""#.utf8) }
    }

    static func refusal(_ error: WireError, _ id: Request.ID?) -> [UInt8] {
        line { out in
            out.key("error")
            error.write(to: &out)
            if let id { write(id, to: &out) }
        }
    }

    static func live(_ address: Address, _ position: Position) -> [UInt8] {
        line { out in
            out.member("live", address.text)
            out.member("cursor", position.cursor.description)
            out.member("done", position.done.description)
        }
    }

    static func live(_ pattern: Pattern) -> [UInt8] {
        line { $0.member("live", pattern.text) }
    }

    static func gone(_ address: Address) -> [UInt8] {
        line { $0.member("gone", address.text) }
    }

    static func gap(_ address: Address, missed: Int) -> [UInt8] {
        line { out in
            out.member("gap", address.text)
            out.member("missed", missed)
        }
    }

    static let ping: [UInt8] = line { $0.member("ping", 1) }

    enum Goodbye: String {
        case closing
        case badInput
        case overloaded
    }

    static func bye(_ code: Goodbye, _ message: String) -> [UInt8] {
        line { out in
            out.key("bye")
            out.object { out in
                out.member("code", code.rawValue)
                out.member("message", message)
            }
        }
    }

    /// The bytes that `write` writes.
    static func bytes(_ write: Writing) -> [UInt8] {
        var out = JSONWriter()
        out.bytes.reserveCapacity(64)
        write(&out)
        return out.bytes
    }

    /// An object, without its LF.
    private static func line(_ members: Writing) -> [UInt8] {
        bytes { $0.object(members) }
    }

    private static func write(_ id: Request.ID, to out: inout JSONWriter) {
        out.key("id")
        id.write(to: &out)
    }
}
