import Protocol

/// Bytes that wait in the backlogs of many connections, and are in memory once.
final class SharedBytes {
    let bytes: [UInt8]
    private let weight: Weight

    init(_ bytes: [UInt8], _ total: Total) {
        self.bytes = bytes
        weight = Weight(bytes.count, on: total)
    }
}

/// A line, or several, and what of it is shared.
struct Text {
    struct Share {
        /// Where in the text it stands.
        var at: Int
        let bytes: SharedBytes
    }

    private(set) var bytes: [UInt8] = []
    /// In the order in which they stand.
    private(set) var shares: [Share] = []

    init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    /// A line, with its LF.
    init(line: Text) { append(line: line) }

    init(line: [UInt8]) { append(line: Text(line)) }

    /// - Parameter shared: `nil` where the value is of this text alone.
    mutating func append(_ value: [UInt8], _ shared: SharedBytes?) {
        if let shared { shares.append(Share(at: bytes.count, bytes: shared)) }
        bytes.append(contentsOf: value)
    }

    /// All of it is in memory once, for whomever it waits.
    mutating func share(_ total: Total) {
        shares = [Share(at: 0, bytes: SharedBytes(bytes, total))]
    }

    mutating func takeBytes() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    /// Makes room for so many bytes in all, and for a line's end.
    mutating func reserve(_ length: Int) { bytes.reserveCapacity(length + 128) }

    mutating func append(decimal number: Int) { bytes.append(decimal: number) }

    mutating func append(name: String) { bytes.append(contentsOf: name.utf8) }

    mutating func append(_ address: Address) { bytes.append(contentsOf: address.text.utf8) }

    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ text: Text) {
        for var share in text.shares {
            share.at += bytes.count
            shares.append(share)
        }
        bytes.append(contentsOf: text.bytes)
    }

    mutating func append(line: Text) {
        append(line)
        bytes.append(UInt8(ascii: "\n"))
    }
}
