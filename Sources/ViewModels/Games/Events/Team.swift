public import BusdProtocol

/// One of the two sides of a game.
public enum Side: String, Codable, PlainJSON, Hashable, Sendable, CaseIterable {
    /// The team that is named first.
    case home
    /// The team that is named second.
    case away

    /// Compares byte by byte. The synthesised initialiser compares by canonical equivalence, which
    /// takes very long for a long text that was made for it.
    public init?(rawValue: String) {
        let side = Self.allCases.first { $0.rawValue.isExactly(rawValue) }
        guard let side else { return nil }
        self = side
    }

    /// The opponent's side.
    public var other: Side { self == .home ? .away : .home }
}

/// A team that can play: a good name, and one to five players with good names.
public struct Team: Hashable, Sendable {
    /// How many players a team may have.
    public static let sizes = 1...5
    /// How many players a team has if nobody says otherwise.
    public static let usualSize = 3

    /// The name of the team.
    public let name: Name
    /// As many as `Team.sizes` allows.
    public let players: [Name]

    /// `nil` unless there are one to five players.
    public init?(name: Name, players: [Name]) {
        guard Team.sizes.contains(players.count) else { return nil }
        self.name = name
        self.players = players
    }

    /// Bytes of the names of the team and its players.
    public var nameBytes: Int { players.reduce(name.text.utf8.count) { $0 + $1.text.utf8.count } }
}

extension Team: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(Name.self, forKey: .name)
        players = try container.decodePlayers(forKey: .players)
    }
}

/// The draft of a team. Names may be any text; a missing name is empty.
public struct TeamDraft: Codable, Equatable, Sendable {
    /// The name of the team, as it was typed.
    public var name: String
    /// As many as `Team.sizes` allows.
    public var players: [String]

    /// `players` has as many texts as `Team.sizes` allows.
    public init(name: String = "", players: [String] = ["", "", ""]) {
        self.name = name
        self.players = players
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        players = try container.decodePlayers(forKey: .players)
    }

    /// Compares texts as they were typed, byte by byte.
    public static func == (a: Self, b: Self) -> Bool {
        a.name.isExactly(b.name)
            && a.players.elementsEqual(b.players) { $0.isExactly($1) }
    }
}

/// The place of a player in a team, 0 to 4.
public struct PlayerIndex: Hashable, Sendable {
    /// 0 to 4.
    public let value: Int

    /// `nil` unless the value is 0 to 4.
    public init?(_ value: Int) {
        guard (0..<Team.sizes.upperBound).contains(value) else { return nil }
        self.value = value
    }
}

extension PlayerIndex: Codable, PlainJSON {
    public init(from decoder: any Decoder) throws {
        self = try decoder.value("a player's index must be 0 to 4") { Self($0) }
    }

    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

    public func write(to out: inout JSONWriter) { out.value(value) }
}

extension KeyedDecodingContainer {
    /// - Throws: `DecodingError` unless `Team.sizes` allows so many.
    fileprivate func decodePlayers<Player: Decodable>(forKey key: Key) throws -> [Player] {
        let players = try decode([Player].self, forKey: key)
        guard Team.sizes.contains(players.count) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self,
                debugDescription: "a team must have one to five players, not \(players.count)")
        }
        return players
    }
}
