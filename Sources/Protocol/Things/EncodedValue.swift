/// A value as JSON, in the form of the log. Throws an `EncodingError` if the value has no such
/// form.
@usableFromInline func encoded(_ value: some Encodable) throws -> [UInt8] {
    var out = JSONWriter()
    try out.value(encoding: value)
    return out.bytes
}

/// Throws `WireError` if the bytes are not such a value.
func decoded<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8], mostValues: Int = .max
) throws(WireError) -> Value {
    var limits = Limits()
    (limits.values, limits.marks, limits.depth) = (mostValues, .max, 64)
    let document = JSONDocument()
    try document.read(bytes, limits: limits)
    guard let root = document.root else { throw WireError(.badEvent, "there is no value") }
    return try root.decode(type, at: "body")
}
