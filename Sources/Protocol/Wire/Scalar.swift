/// A type that is one value of a document, read and written without a container.
protocol Scalar: Codable {
    /// The expected value, for errors.
    static var wanted: String { get }
    /// `nil` if the value has another type.
    init?(scalar value: JSONValue)
    /// Returns false if JSON has no form for it.
    func write(to out: inout JSONWriter) -> Bool
}

extension String: Scalar {
    static var wanted: String { "a text" }

    init?(scalar value: JSONValue) {
        guard let text = value.text else { return nil }
        self = text
    }

    func write(to out: inout JSONWriter) -> Bool {
        out.value(self)
        return true
    }
}

extension Secret: Scalar {
    static var wanted: String { "a text of at most \(mostBytes) bytes" }

    init?(scalar value: JSONValue) {
        guard let secret = value.secret else { return nil }
        self = secret
    }

    func write(to out: inout JSONWriter) -> Bool {
        out.value(withBytes { String(decoding: $0, as: UTF8.self) })
        return true
    }
}

extension Bool: Scalar {
    static var wanted: String { "a boolean" }

    init?(scalar value: JSONValue) {
        guard let boolean = value.boolean else { return nil }
        self = boolean
    }

    func write(to out: inout JSONWriter) -> Bool {
        out.value(self)
        return true
    }
}

extension Double: Scalar {
    static var wanted: String { "a number" }

    init?(scalar value: JSONValue) {
        guard let number = value.number else { return nil }
        self = number
    }

    func write(to out: inout JSONWriter) -> Bool {
        out.value(self)
        return isFinite
    }
}

extension Float: Scalar {
    static var wanted: String { "a number" }

    init?(scalar value: JSONValue) {
        guard let number = value.number.map({ Float($0) }), number.isFinite else { return nil }
        self = number
    }

    func write(to out: inout JSONWriter) -> Bool { Double(self).write(to: &out) }
}

extension Scalar where Self: FixedWidthInteger {
    static var wanted: String { "an integer in range" }

    init?(scalar value: JSONValue) {
        if let integer = value.integer {
            self.init(exactly: integer)
        } else if value.kind == .integer, Self.self != Int.self {
            // Its magnitude is above `Limits.largestInteger`.
            self.init(String(decoding: value.raw, as: UTF8.self))
        } else {
            return nil
        }
    }

    func write(to out: inout JSONWriter) -> Bool {
        if let integer = Int(exactly: self) {
            out.value(integer)
        } else {
            out.raw(String(self).utf8)
        }
        return true
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
