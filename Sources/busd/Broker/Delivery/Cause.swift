import BusdProtocol

/// The `send` that caused events: the member `cause` of their lines.
struct Cause {
    /// The `id` of the request, ready to be written.
    private enum ID {
        case integer(Int)
        case written([UInt8])
    }

    private let connection: Int
    private let id: ID

    /// `nil` if the `send` has no `id`.
    init?(_ connection: Int, _ id: Request.ID?) {
        guard let id else { return nil }
        self.connection = connection
        if case .integer(let integer) = id {
            self.id = .integer(integer)
        } else {
            self.id = .written(Line.bytes { id.write(to: &$0) })
        }
    }

    /// Most bytes that `write` appends.
    var longest: Int {
        let id = if case .written(let id) = id { id.count } else { OutputSpan.longestDecimal }
        return 40 + OutputSpan.longestDecimal + id
    }

    /// `"cause":{"connection":3,"id":"a1"},`
    func write(to line: inout OutputSpan<UInt8>) {
        line.append(#""cause":{"connection":"#)
        line.append(decimal: connection)
        line.append(#","id":"#)
        switch id {
        case .integer(let integer): line.append(decimal: integer)
        case .written(let id): line.append(id)
        }
        line.append("},")
    }
}
