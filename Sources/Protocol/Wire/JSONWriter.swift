/// Writes JSON into bytes: keys in the order in which they are given, no spaces, slashes as they
/// are.
///
/// It adds the commas. The caller closes what it opens; `object` and `list` do both.
public struct JSONWriter: Sendable {
    /// What has been written so far, without a line feed.
    public var bytes: [UInt8] = []
    /// The next value or key is the first in its list or object.
    private var isFirst = true
    /// `Codable` has refused a value of the event that `plainEvent` is writing.
    var hasRefusedValue = false

    /// Begins a document; `beginDocument` appends a second one.
    public init() {}

    /// Removes what was written, and keeps the memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        isFirst = true
    }

    /// A position to return to with `cut`.
    struct Mark {
        fileprivate let count: Int
        fileprivate let isFirst: Bool
    }

    var mark: Mark { Mark(count: bytes.count, isFirst: isFirst) }

    /// Removes everything that was written since the mark.
    mutating func cut(to mark: Mark) {
        bytes.removeLast(bytes.count - mark.count)
        isFirst = mark.isFirst
    }

    /// The next value is not part of what has been written so far: no comma before it.
    public mutating func beginDocument() { isFirst = true }

    // MARK: Structure

    /// Opens an object. Each value in it needs a key before it.
    public mutating func beginObject() { begin(UInt8(ascii: "{")) }
    /// Closes the object that was opened last.
    public mutating func endObject() { end(UInt8(ascii: "}")) }
    /// Opens a list.
    public mutating func beginList() { begin(UInt8(ascii: "[")) }
    /// Closes the list that was opened last.
    public mutating func endList() { end(UInt8(ascii: "]")) }

    /// Appends an object. `members` appends its members.
    public mutating func object(_ members: (inout JSONWriter) -> Void) {
        beginObject()
        members(&self)
        endObject()
    }

    /// Appends a list. `elements` appends its elements.
    public mutating func list(_ elements: (inout JSONWriter) -> Void) {
        beginList()
        elements(&self)
        endList()
    }

    /// A key from the source code: nothing in it needs an escape.
    public mutating func key(_ name: StaticString) {
        member(name, longest: 0) { _ in }
        isFirst = true
    }

    /// A key that may need escapes. The next value belongs to it.
    public mutating func key(named name: String) {
        quote(name, after: ":")
        isFirst = true
    }

    // MARK: Values

    /// Appends a text, with quotes and escapes.
    public mutating func value(_ text: String) { quote(text) }

    /// Appends an integer in decimal digits.
    public mutating func value(_ integer: Int) {
        append(longest: OutputSpan.longestDecimal) { $0.append(decimal: integer) }
    }

    /// Appends `true` or `false`.
    public mutating func value(_ boolean: Bool) {
        separate()
        bytes.append(contentsOf: boolean ? "true".utf8 : "false".utf8)
    }

    /// Shortest form that reads back as the same number. NaN and the infinities have no form in
    /// JSON; the encoder refuses them, and here they become `null`.
    public mutating func value(_ number: Double) {
        separate()
        bytes.append(contentsOf: number.isFinite ? number.description.utf8 : "null".utf8)
    }

    /// A value that is JSON already.
    public mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Appends `null`.
    public mutating func null() {
        raw("null".utf8)
    }

    // MARK: Members

    // Each returns false if JSON cannot express the value, so that `&&` joins the members of a row.

    /// Appends a member with a text.
    @discardableResult
    public mutating func member(_ name: StaticString, _ text: String) -> Bool {
        text.withBytes { text in
            guard !text.hasEscape else {
                key(name)
                return quote(escaping: text)
            }
            member(name, longest: text.count + 2) { $0.append(quoted: text) }
        }
        return true
    }

    /// Appends a member with an integer.
    @discardableResult
    public mutating func member(_ name: StaticString, _ integer: Int) -> Bool {
        member(name, longest: OutputSpan.longestDecimal) { $0.append(decimal: integer) }
        return true
    }

    /// Appends a member with a boolean.
    @discardableResult
    public mutating func member(_ name: StaticString, _ boolean: Bool) -> Bool {
        member(name, longest: 5) { $0.append(boolean ? "true" : "false") }
        return true
    }

    /// Appends a member with a list of texts.
    @discardableResult
    public mutating func member(_ name: StaticString, _ texts: [String]) -> Bool {
        key(name)
        list { out in
            for text in texts { out.value(text) }
        }
        return true
    }

    /// Appends a member in one piece, because a check of the capacity costs as much as writing the
    /// member.
    @inline(__always)
    private mutating func member(
        _ name: StaticString, longest: Int, _ value: (inout OutputSpan<UInt8>) -> Void
    ) {
        name.withUTF8Buffer { name in
            append(longest: name.count + longest + 3) { out in
                out.append(quoted: UnsafeRawBufferPointer(name))
                out.append(UInt8(ascii: ":"))
                value(&out)
            }
        }
    }

    /// Appends an event of one case.
    public mutating func event(_ name: String, _ payload: (inout JSONWriter) -> Void) {
        quote(name, before: "{", after: ":{")
        isFirst = true
        payload(&self)
        bytes.append(addingCapacity: 2) { $0.append("}}") }
        isFirst = false
    }

    // MARK: Bytes

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        isFirst = true
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        isFirst = false
    }

    private mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
    }

    /// Appends at most `longest` bytes, after a comma if one is due.
    @inline(__always)
    private mutating func append(longest: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
        let isFirst = isFirst
        bytes.append(addingCapacity: longest + 1) { out in
            if !isFirst { out.append(UInt8(ascii: ",")) }
            body(&out)
        }
        self.isFirst = false
    }

    @inline(__always)
    private mutating func quote(
        _ text: String, before: StaticString = "", after: StaticString = ""
    ) {
        text.withBytes { text in
            guard !text.hasEscape else { return quote(escaping: text, before, after) }
            let length = before.utf8CodeUnitCount + text.count + after.utf8CodeUnitCount
            append(longest: length + 2) { out in
                out.append(before)
                out.append(quoted: text)
                out.append(after)
            }
        }
    }

    private mutating func quote(
        escaping text: UnsafeRawBufferPointer, _ before: StaticString = "",
        _ after: StaticString = ""
    ) {
        append(longest: before.utf8CodeUnitCount + 1) { out in
            out.append(before)
            out.append(UInt8(ascii: "\""))
        }
        var start = 0
        while case let end = text.firstEscape(from: start, to: text.count), end < text.count {
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<end]))
            escape(text[end])
            start = end + 1
        }
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start...]))
        bytes.append(addingCapacity: after.utf8CodeUnitCount + 1) { out in
            out.append(UInt8(ascii: "\""))
            out.append(after)
        }
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x00..<0x20:
            bytes.append(contentsOf: byte < 0x10 ? "u000".utf8 : "u001".utf8)
            bytes.append(contentsOf: String(byte & 0x0F, radix: 16).utf8)
        default: bytes.append(byte)
        }
    }
}
