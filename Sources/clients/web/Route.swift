import BusdProtocol

/// A path of the site.
enum Route: Equatable {
    /// The newest games.
    case games
    /// A game, at `scoreboard/ID`.
    case game(Address)
    /// The values of a view model.
    case values(Address)
    /// The stream of a page.
    indirect case stream(Route)
    /// A file that the pages use.
    case asset(Assets.Asset)
    /// The page that takes the secret of a link.
    case pairing
    /// Where the page sends its taps.
    case sending

    /// Bytes. An address has 200 at most.
    private static let longest = 256

    /// Nil if there is nothing at the path.
    init?(_ path: String) {
        // No path has other characters, so texts can be compared as such.
        guard path.utf8.count <= Self.longest, path.utf8.allSatisfy({ $0 < 0x80 }) else {
            return nil
        }
        switch path {
        case "/": self = .games
        case "/pair": self = .pairing
        case "/send": self = .sending
        default:
            if let page = path.rest(after: "/stream"), !page.utf8.starts(with: "/stream".utf8),
                let route = Route(page), route.hasStream
            {
                self = .stream(route)
            } else if let asset = Assets.asset(at: path) {
                self = .asset(asset)
            } else if let text = path.rest(after: "/view/") {
                guard let address = Address(text), address.segments[0] != "bus" else { return nil }
                self = .values(address)
            } else {
                guard let address = path.rest(after: "/").flatMap(Address.init),
                    address.segments.count == 2, address.segments[0] == Scoreboard.name[...]
                else { return nil }
                self = .game(address)
            }
        }
    }

    /// The address of the game; nil if the page is of something else.
    var game: Address? {
        if case .game(let address) = self { address } else { nil }
    }

    private var hasStream: Bool {
        switch self {
        case .games, .game, .values: true
        case .stream, .asset, .pairing, .sending: false
        }
    }
}

extension String {
    fileprivate func rest(after beginning: String) -> String? {
        guard utf8.starts(with: beginning.utf8) else { return nil }
        return String(utf8.dropFirst(beginning.utf8.count))
    }
}
