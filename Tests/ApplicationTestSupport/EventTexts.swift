import BusdProtocol
import Testing

/// The value of a JSON text, as the payload of an event is read.
public func decode<T: Decodable>(_ json: String, as type: T.Type = T.self) throws -> T {
    let document = JSONDocument()
    try document.read(Array(json.utf8))
    return try #require(document.root).decode(T.self, at: "event")
}

/// The code, path and reason with which a text is refused; `nil` if it is read.
public func refusal<T: Decodable>(_ json: String, as type: T.Type) -> String? {
    do {
        _ = try decode(json, as: type)
        return nil
    } catch {
        let error = error as? WireError
        return "\(error?.code.rawValue ?? "?") \(error?.path ?? "?"): \(error?.message ?? "?")"
    }
}

/// The JSON of a value, as an event has it.
public func json(_ value: some Encodable) throws -> String {
    var out = JSONWriter()
    try out.value(encoding: value)
    return String(decoding: out.bytes, as: UTF8.self)
}
