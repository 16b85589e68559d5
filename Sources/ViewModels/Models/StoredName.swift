import BusdProtocol

/// A name in the log or in a state. It may be a name that only an earlier version has accepted.
struct StoredName: Codable {
    let name: Name

    init(_ name: Name) { self.name = name }

    init(from decoder: any Decoder) throws {
        name = try decoder.value("this is not a name") { Name(stored: $0) }
    }

    func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}
