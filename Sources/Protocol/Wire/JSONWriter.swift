/// Writes JSON into bytes: keys in the order in which they are given, no spaces, slashes as they
/// are.
///
/// It puts the commas; who calls it opens and closes in pairs, which `object` and `list` do by
/// themselves.
public struct JSONWriter: Sendable {
    public var bytes: [UInt8] = []
    /// The next value or key stands first in its list or object.
    private var isFirst = true

    public init() {}

    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        isFirst = true
    }

    /// A place to come back to with `cut`.
    struct Mark {
        fileprivate let count: Int
        fileprivate let isFirst: Bool
    }

    var mark: Mark { Mark(count: bytes.count, isFirst: isFirst) }

    /// Forgets what has been written since.
    mutating func cut(to mark: Mark) {
        bytes.removeLast(bytes.count - mark.count)
        isFirst = mark.isFirst
    }

    /// The next value is not part of what has been written so far: no comma before it.
    public mutating func beginDocument() { isFirst = true }

    // MARK: Structure

    public mutating func beginObject() { begin(UInt8(ascii: "{")) }
    public mutating func endObject() { end(UInt8(ascii: "}")) }
    public mutating func beginList() { begin(UInt8(ascii: "[")) }
    public mutating func endList() { end(UInt8(ascii: "]")) }

    public mutating func object(_ members: (inout JSONWriter) -> Void) {
        beginObject()
        members(&self)
        endObject()
    }

    public mutating func list(_ elements: (inout JSONWriter) -> Void) {
        beginList()
        elements(&self)
        endList()
    }

    /// A key that stands in the source: nothing in it needs an escape.
    public mutating func key(_ name: StaticString) {
        name.withUTF8Buffer { quote(asItIs: UnsafeRawBufferPointer($0), isKey: true) }
    }

    public mutating func key(named name: String) {
        value(name)
        bytes.append(UInt8(ascii: ":"))
        isFirst = true
    }

    // MARK: Values

    public mutating func value(_ text: String) {
        text.utf8.span.withUnsafeBytes { quote($0) }
    }

    public mutating func value(_ integer: Int) {
        separate()
        digits(integer)
    }

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

    public mutating func null() {
        raw("null".utf8)
    }

    // MARK: Members

    public mutating func member(_ name: StaticString, _ text: String) {
        key(name)
        value(text)
    }

    public mutating func member(_ name: StaticString, _ integer: Int) {
        key(name)
        value(integer)
    }

    public mutating func member(_ name: StaticString, _ boolean: Bool) {
        key(name)
        value(boolean)
    }

    public mutating func member(_ name: StaticString, _ texts: [String]) {
        key(name)
        list { out in
            for text in texts { out.value(text) }
        }
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

    private mutating func digits(_ integer: Int) { bytes.append(decimal: integer) }

    private mutating func quote(_ text: UnsafeRawBufferPointer) {
        var end = text.firstEscape(from: 0, to: text.count)
        guard end < text.count else { return quote(asItIs: text) }
        separate()
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        while true {
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<end]))
            guard end < text.count else { break }
            if text[end] < 0x20 {
                escape(text[end])
            } else {
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(text[end])
            }
            start = end + 1
            end = text.firstEscape(from: start, to: text.count)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// A text in which nothing needs an escape, as most are: all of it at once.
    private mutating func quote(asItIs text: UnsafeRawBufferPointer, isKey: Bool = false) {
        let isFirst = isFirst
        bytes.append(addingCapacity: text.count + 4) { out in
            if !isFirst { out.append(UInt8(ascii: ",")) }
            out.append(UInt8(ascii: "\""))
            out.append(text)
            out.append(UInt8(ascii: "\""))
            if isKey { out.append(UInt8(ascii: ":")) }
        }
        self.isFirst = isKey
    }

    private mutating func escape(_ control: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch control {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(contentsOf: control < 0x10 ? "u000".utf8 : "u001".utf8)
            bytes.append(contentsOf: String(control & 0x0F, radix: 16).utf8)
        }
    }
}

extension [UInt8] {
    package mutating func append(contentsOf bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    /// Appends an integer as its digits.
    package mutating func append(decimal integer: Int) {
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var first = digits.endIndex
        var rest = integer.magnitude
        repeat {
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        if integer < 0 { append(UInt8(ascii: "-")) }
        append(addingCapacity: digits.endIndex - first) { out in
            for place in first..<digits.endIndex { out.append(digits[place]) }
        }
    }
}

extension OutputSpan<UInt8> {
    @inline(__always)
    fileprivate mutating func append(_ bytes: UnsafeRawBufferPointer) {
        withUnsafeMutableBufferPointer { buffer, count in
            UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                .copyMemory(from: bytes)
            count += bytes.count
        }
    }
}
