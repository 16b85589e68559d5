import BusdProtocol

/// A name in the log or in a state: one that an earlier version has accepted, too.
struct StoredName: Codable {
    let name: Name

    init(_ name: Name) { self.name = name }

    init(from decoder: any Decoder) throws {
        name = try decoder.value(ofText: "a name") { Name(stored: $0) }
    }

    func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}
