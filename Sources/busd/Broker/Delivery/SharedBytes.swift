import BusdProtocol

/// Bytes in the backlogs of several connections, in memory once.
final class SharedBytes {
    let bytes: [UInt8]
    private let charge: Charge

    init(_ bytes: [UInt8], _ account: Account) {
        self.bytes = bytes
        charge = Charge(bytes.count, on: account)
    }
}

/// One line or several lines. Its shared parts (`shares`) are not copied.
struct Text {
    struct Inset {
        /// The offset of its first byte in the text.
        let at: Int
        let bytes: SharedBytes
    }

    /// Bytes that are not shared.
    private(set) var own: [UInt8] = []
    /// In the order of their offsets.
    private(set) var shares: [Inset] = []
    private var sharedLength = 0

    init(_ bytes: [UInt8] = []) { own = bytes }

    /// A line; its LF is added.
    init(line: Text) { append(line: line) }

    init(line: [UInt8]) { append(line: Text(line)) }

    /// Bytes of the whole text.
    var length: Int { own.count + sharedLength }

    var isEmpty: Bool { length == 0 }

    /// A copy of the whole text.
    var bytes: [UInt8] {
        guard !shares.isEmpty else { return own }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        forEachPiece {
            bytes.append(contentsOf: $0)
        } shared: {
            bytes.append(contentsOf: $0.bytes)
        }
        return bytes
    }

    /// Visits the pieces in order; some may be empty.
    func forEachPiece(own body: (ArraySlice<UInt8>) -> Void, shared: (SharedBytes) -> Void) {
        var rest = own[...]
        var passed = 0
        for share in shares {
            let count = share.at - passed
            body(rest.prefix(count))
            rest = rest.dropFirst(count)
            shared(share.bytes)
            passed = share.at + share.bytes.bytes.count
        }
        body(rest)
    }

    /// Appends a value.
    ///
    /// - Parameter shared: the same value, in memory for several connections; `nil`: it is copied.
    mutating func append(_ value: [UInt8], _ shared: SharedBytes?) {
        if let shared {
            shares.append(Inset(at: length, bytes: shared))
            sharedLength += shared.bytes.count
        } else {
            own.append(contentsOf: value)
        }
    }

    mutating func append(decimal number: Int) { own.append(decimal: number) }

    mutating func append(name: String) { own.append(contentsOf: name.utf8) }

    mutating func append(_ address: Address) { own.append(contentsOf: address.text.utf8) }

    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { own.append(contentsOf: $0) }
    }

    mutating func append(_ text: Text) {
        let start = length
        for share in text.shares { shares.append(Inset(at: start + share.at, bytes: share.bytes)) }
        sharedLength += text.sharedLength
        own.append(contentsOf: text.own)
    }

    mutating func append(line: Text) {
        append(line)
        own.append(.lineFeed)
    }
}
