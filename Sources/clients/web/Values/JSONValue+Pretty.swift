import BusdProtocol

extension JSONValue {
    /// The value for people: a text is itself, a list or an object has one line per element,
    /// as `JSON.stringify(value, null, 2)` writes it in the browser. The script writes a number
    /// such as 1e3, and an escape, in another form.
    ///
    /// - Parameter most: the bytes after which nothing more is rendered. If there is more, the
    ///   result is longer, and its first `most` bytes are those of the value.
    func pretty(most: Int) -> String {
        if let text { return text }
        var writer = PrettyWriter(most: most)
        writer.write(self, indent: 0)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

private struct PrettyWriter {
    let most: Int
    private(set) var bytes: [UInt8] = []

    init(most: Int) { self.most = most }

    private var isFull: Bool { bytes.count > most }

    mutating func write(_ value: JSONValue, indent: Int) {
        switch value.kind {
        case .list:
            var list = value.elements
            write("[", "]", indent) { writer in
                guard let element = list.next() else { return false }
                writer.beginLine(indent + 2)
                writer.write(element, indent: indent + 2)
                return true
            }
        case .object:
            var members = value.members.makeIterator()
            write("{", "}", indent) { writer in
                guard let (key, value) = members.next() else { return false }
                writer.beginLine(indent + 2)
                writer.bytes += key.json
                writer.bytes += ": ".utf8
                writer.write(value, indent: indent + 2)
                return true
            }
        case .text, .integer, .number, .boolean, .null: bytes += value.json
        }
    }

    /// - Parameter next: begins a line and writes an element; false: there is none.
    private mutating func write(
        _ open: String, _ close: String, _ indent: Int, _ next: (inout Self) -> Bool
    ) {
        bytes += open.utf8
        let empty = bytes.count
        while !isFull, next(&self) { bytes.append(UInt8(ascii: ",")) }
        if isFull { return }
        if bytes.count > empty {
            bytes.removeLast()
            beginLine(indent)
        }
        bytes += close.utf8
    }

    private mutating func beginLine(_ indent: Int) {
        bytes.append(UInt8(ascii: "\n"))
        bytes += repeatElement(UInt8(ascii: " "), count: indent)
    }
}
