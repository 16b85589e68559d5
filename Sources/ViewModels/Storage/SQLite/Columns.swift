/// The values of a row, from 0; `nil` where there is none, or one of another type.
protocol Columns {
    func integer(_ column: Int32) -> Int64?
    /// `nil` also where the bytes are not UTF-8.
    func text(_ column: Int32) -> String?
    func blob(_ column: Int32) -> [UInt8]?
}

extension Columns {
    func number(_ column: Int32) -> Int? { integer(column).flatMap { Int(exactly: $0) } }
}
