// Conversions that cannot fail, as the type of the argument shows. All platforms of busd have 64
// bits.

extension Int {
    public init(widening value: UInt8) { self.init(value) }
    public init(widening value: Int32) { self.init(value) }
    public init(widening value: UInt32) { self.init(value) }
    public init(widening value: Int64) { self.init(value) }
    /// C types such as `off_t` are `Int`.
    public init(widening value: Int) { self = value }
}

extension Int64 {
    public init(widening value: Int64) { self = value }
    public init(widening value: Int) { self.init(value) }
    public init(widening value: Int32) { self.init(value) }
}

extension UInt64 {
    public init(widening value: UInt8) { self.init(value) }
}
