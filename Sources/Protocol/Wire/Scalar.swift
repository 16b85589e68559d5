/// A type that is one value of a document, read and written without a container.
protocol Scalar: Codable {
    /// The expected value, for errors.
    static var wanted: String { get }
    /// `nil` if the value has another type.
    static func read(_ value: JSONValue) -> Self?
    /// False: JSON has no form for it.
    var hasForm: Bool { get }
    func append(to out: inout JSONWriter)
}

extension Scalar {
    var hasForm: Bool { true }
}

extension String: Scalar {
    static var wanted: String { "a text" }
    static func read(_ value: JSONValue) -> Self? { value.text }
    func append(to out: inout JSONWriter) { out.value(self) }
}

extension Secret: Scalar {
    static var wanted: String { "a text of at most \(mostBytes) bytes" }
    static func read(_ value: JSONValue) -> Self? { value.secret }
    func append(to out: inout JSONWriter) {
        out.value(withBytes { String(decoding: $0, as: UTF8.self) })
    }
}

extension Bool: Scalar {
    static var wanted: String { "a boolean" }
    static func read(_ value: JSONValue) -> Self? { value.boolean }
    func append(to out: inout JSONWriter) { out.value(self) }
}

extension Double: Scalar {
    static var wanted: String { "a number" }
    static func read(_ value: JSONValue) -> Self? { value.number }
    var hasForm: Bool { isFinite }
    func append(to out: inout JSONWriter) { out.value(self) }
}

extension Float: Scalar {
    static var wanted: String { Double.wanted }
    static func read(_ value: JSONValue) -> Self? {
        value.number.map { Float($0) }.flatMap { $0.isFinite ? $0 : nil }
    }
    var hasForm: Bool { isFinite }
    func append(to out: inout JSONWriter) { out.value(Double(self)) }
}

extension Scalar where Self: FixedWidthInteger {
    static var wanted: String { "an integer in range" }

    static func read(_ value: JSONValue) -> Self? {
        if let integer = value.integer { return Self(exactly: integer) }
        guard value.kind == .integer, Self.self != Int.self else { return nil }
        // Its magnitude is above `Limits.largestInteger`.
        return Self(String(decoding: value.raw, as: UTF8.self))
    }

    func append(to out: inout JSONWriter) {
        if let integer = Int(exactly: self) {
            out.value(integer)
        } else {
            out.raw(String(self).utf8)
        }
    }
}

extension Int: Scalar {}
extension Int8: Scalar {}
extension Int16: Scalar {}
extension Int32: Scalar {}
extension Int64: Scalar {}
extension Int128: Scalar {}
extension UInt: Scalar {}
extension UInt8: Scalar {}
extension UInt16: Scalar {}
extension UInt32: Scalar {}
extension UInt64: Scalar {}
extension UInt128: Scalar {}
