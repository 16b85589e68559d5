/// The `ifSeq` of a `send`: it is handled only if the view model is at this position.
public enum SeqCondition: Equatable, Sendable, ExpressibleByIntegerLiteral {
    /// `seq` begins at 0 again in a new process, so an old one can match by chance.
    case seq(Int)
    /// Never matches in a process other than the one that sent it.
    case cursor(Cursor)

    public init(integerLiteral seq: Int) { self = .seq(seq) }

    /// Whether a view model with this cursor meets the condition.
    package func holds(at cursor: @autoclosure () -> Cursor, seq: Int) -> Bool {
        switch self {
        case .seq(let wanted): wanted == seq
        case .cursor(let wanted): wanted.seq == seq && wanted == cursor()
        }
    }
}

extension SeqCondition: CustomStringConvertible {
    public var description: String {
        switch self {
        case .seq(let seq): String(seq)
        case .cursor(let cursor): cursor.description
        }
    }
}
