// Conversions that cannot fail, as the type of the argument shows. All platforms of busd have 64
// bits.

extension Int {
    /// The same number.
    public init(widening value: UInt8) { self.init(value) }
    /// The same number.
    public init(widening value: Int32) { self.init(value) }
    /// The same number.
    public init(widening value: UInt32) { self.init(value) }
    /// The same number.
    public init(widening value: Int64) { self.init(value) }
    /// C types such as `off_t` are `Int`.
    public init(widening value: Int) { self = value }
}

extension Int64 {
    /// The same number.
    public init(widening value: Int64) { self = value }
    /// The same number.
    public init(widening value: Int) { self.init(value) }
    /// The same number.
    public init(widening value: Int32) { self.init(value) }
}

extension UInt64 {
    /// The same number.
    public init(widening value: UInt8) { self.init(value) }
}
