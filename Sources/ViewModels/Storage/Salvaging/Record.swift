/// A row as it is in a file: the types of its values, and then the values; see "Record Format" in
/// https://sqlite.org/fileformat2.html.
struct Record: Columns {
    /// Of a table that has row ids: it stands for a first column that is null.
    let rowID: Int64?
    private var values: [(type: Int, bytes: ArraySlice<UInt8>)] = []

    /// No table has more.
    private static let mostColumns = 7

    /// `nil` where it is none, or of no table of ours.
    init?(_ payload: [UInt8], rowID: Int64?) {
        self.rowID = rowID
        var head = ByteReader(payload[...])
        guard let length = head.varint(), let headLength = Int(exactly: length),
            payload.count - head.count...payload.count ~= headLength
        else { return nil }
        var types = ByteReader(payload[(payload.count - head.count)..<headLength])
        var rest = ByteReader(payload[headLength...])
        while types.count > 0 {
            guard values.count < Self.mostColumns,
                let type = types.varint().flatMap({ Int(exactly: $0) }),
                let size = Self.size(of: type), let bytes = rest.take(size)
            else { return nil }
            values.append((type, bytes))
        }
        guard rest.count == 0 else { return nil }
    }

    /// How many bytes a value of that type has; `nil` where there is no such type.
    private static func size(of type: Int) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1...4: type
        case 5: 6
        case 6, 7: 8
        case 12...: (type - 12) / 2
        default: nil
        }
    }

    var count: Int { values.count }

    /// Without its first column.
    func dropFirst() -> Record {
        var rest = self
        rest.values.removeFirst()
        return rest
    }

    // MARK: Columns

    func integer(_ column: Int32) -> Int64? {
        guard let (type, bytes) = self[column] else { return nil }
        switch type {
        case 0: return column == 0 ? rowID : nil
        case 1...6:
            var reader = ByteReader(bytes)
            return reader.signed(bytes.count)
        case 8, 9: return Int64(type - 8)  // fits: it is 0 or 1
        default: return nil
        }
    }

    func text(_ column: Int32) -> String? {
        guard let (type, bytes) = self[column], type >= 13, type % 2 == 1 else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    func blob(_ column: Int32) -> [UInt8]? {
        guard let (type, bytes) = self[column], type >= 12, type % 2 == 0 else { return nil }
        return Array(bytes)
    }

    private subscript(_ column: Int32) -> (type: Int, bytes: ArraySlice<UInt8>)? {
        values.indices.contains(Int(column)) ? values[Int(column)] : nil  // fits: 32 bits do
    }
}
