import BusdGamesEvents
import BusdProtocol

/// A path of the site.
enum Route: Equatable {
    /// What a page shows. Each page has a stream.
    enum Subject: Equatable {
        /// The newest games.
        case games
        /// A game, at `scoreboard/ID`.
        case game(Address)
        /// The values of a view model.
        case values(Address)
    }

    case page(Subject)
    case stream(Subject)
    /// A file that the pages use.
    case asset(Assets.Asset)
    /// The script under a name that stays, for pages of other people.
    case module
    /// The page that takes the secret of a link.
    case pairing
    /// Where the page sends its taps.
    case sending

    /// Nil if there is nothing at the path.
    init?(_ path: String) {
        if path.isExactly("/pair") {
            self = .pairing
        } else if path.isExactly("/send") {
            self = .sending
        } else if path.isExactly("/page.js") {
            self = .module
        } else if let asset = Assets.asset(at: path) {
            self = .asset(asset)
        } else if let subject = path.rest(after: "/stream").flatMap(Subject.init) {
            self = .stream(subject)
        } else if let subject = Subject(path) {
            self = .page(subject)
        } else {
            return nil
        }
    }
}

extension Route.Subject {
    /// Nil if there is no page at the path.
    init?(_ path: String) {
        if path.isExactly("/") {
            self = .games
        } else if let address = path.rest(after: "/view/").flatMap(Address.init) {
            if address.segments[0] == "bus" { return nil }
            self = .values(address)
        } else {
            guard let address = path.rest(after: "/").flatMap(Address.init),
                address.segments.count == 2, address.segments[0] == Scoreboard.name[...]
            else { return nil }
            self = .game(address)
        }
    }

    /// The address of the view model; nil for the list of games.
    var address: Address? {
        switch self {
        case .games: nil
        case .game(let address), .values(let address): address
        }
    }

    /// The address of the game; nil if the page is of something else.
    var game: Address? {
        if case .game(let address) = self { address } else { nil }
    }

    /// The game to which an address belongs, such as that of a player.
    static func game(of address: Address) -> Address? {
        Self("/" + address.segments.prefix(2).joined(separator: "/"))?.game
    }
}

extension String {
    fileprivate func rest(after beginning: String) -> String? {
        guard utf8.starts(with: beginning.utf8) else { return nil }
        return String(utf8.dropFirst(beginning.utf8.count))
    }
}
