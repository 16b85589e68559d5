import BusdClient
import BusdProtocol
import BusdScreens

/// The other connections that keep the score of a game: they may send, and show its players, or are
/// phones that busd-web has paired. A phone is named by its pairing, each other one by its user.
final class Scorekeepers: View {
    /// A user with such connections, or a phone.
    struct Scorekeeper: Equatable {
        enum Name: Equatable {
            case user(Int)
            case phone(String)
        }

        let name: Name
        /// When the first of its views was shown, in seconds since 1970 (UTC).
        var since: Int?
    }

    let output = Output<BusViews.ViewEvent>()
    /// A scorekeeper, or the name of a connection, has changed.
    var onChanged: (() -> Void)?
    /// In the order of their connections. Empty while `bus/views` is not known.
    private var scorekeepers: [Scorekeeper] = []
    private let game: Address
    private let connection: BusConnection
    private let users: UserNames
    private let viewModel: RemoteViewModel<BusViews>
    private var isBound = false
    /// The other connections that may send.
    private var scorers: [Int: Scorekeeper.Name] = [:]

    /// - Parameter users: on a daemon of another machine, users are numbers.
    init(of game: Address, _ connection: BusConnection, _ users: UserNames) {
        (self.game, self.connection, self.users) = (game, connection, users)
        viewModel = RemoteViewModel(connection, at: BusViews.address, as: "keepers")
        viewModel.onLiveChanged = { [weak self] isLive in if !isLive { self?.forget() } }
    }

    /// Subscribes, if this connection may send and is not subscribed. If a policy hides
    /// `bus/views`, there are no scorekeepers.
    func start() {
        guard connection.access == "control" else { return }
        if isBound { return viewModel.start() }
        isBound = true
        bind(with: viewModel)
    }

    func handle(event: BusViews.ViewModelEvent) {
        guard let number = connection.number else { return }
        switch event {
        case .views(let rows, _):
            let others = rows.filter { $0.connection != number && $0.access == "control" }
            let names = others.map { ($0.connection, $0.scorekeeper) }
            show(scorekeepers(in: others), Dictionary(names) { first, _ in first })
        }
    }

    private func show(_ scorekeepers: [Scorekeeper], _ scorers: [Int: Scorekeeper.Name]) {
        guard scorekeepers != self.scorekeepers || scorers != self.scorers else { return }
        (self.scorekeepers, self.scorers) = (scorekeepers, scorers)
        onChanged?()
    }

    private func scorekeepers(in rows: [BusViews.Row]) -> [Scorekeeper] {
        var scorekeepers: [Scorekeeper] = []
        for row in rows where row.keeps(game) {
            guard let place = scorekeepers.firstIndex(where: { $0.name == row.scorekeeper }) else {
                scorekeepers.append(Scorekeeper(name: row.scorekeeper, since: row.since))
                continue
            }
            if let since = row.since {
                scorekeepers[place].since = min(scorekeepers[place].since ?? since, since)
            }
        }
        return scorekeepers
    }

    /// The rows of a lost connection name this client by its old number.
    private func forget() { show([], [:]) }

    // MARK: Words

    /// `bob keeps this game too, since 14:05`; nil: no other connection does.
    func text(at now: LocalTime) -> String? {
        guard let first = scorekeepers.first else { return nil }
        guard scorekeepers.count > 1 else {
            let since = first.since.map { ", since \(LocalTime(seconds: $0).short(at: now))" }
            return "\(text(first.name)) keeps this game too\(since ?? "")"
        }
        var names = scorekeepers.prefix(Self.mostNamed).map { text($0.name) }
        if scorekeepers.count > Self.mostNamed {
            names[Self.mostNamed - 1] = "\(scorekeepers.count - Self.mostNamed + 1) others"
        }
        let last = names.removeLast()
        return "\(names.joined(separator: ", ")) and \(last) keep this game too"
    }

    private static let mostNamed = 3

    /// The user or the phone that caused an event; nil: this connection caused it, or `bus/views`
    /// is not known. A connection that is new is `another client` for a moment.
    func name(of cause: BusEvent.Cause) -> String? {
        guard viewModel.isLive, let number = connection.number, cause.connection != number else {
            return nil
        }
        return scorers[cause.connection].map(text) ?? "another client"
    }

    private func text(_ name: Scorekeeper.Name) -> String {
        switch name {
        case .phone(let name): return "\(name.printable) (phone)"
        // The kernel shows this number for each user of another namespace.
        case .user(65_534): return "an unknown user"
        case .user(let uid): return users.find(uid)?.printable ?? "user \(uid)"
        }
    }
}

extension BusViews.Row {
    /// busd-web names the subscription of a paired phone so, and its connection as the pairing.
    private var isPhone: Bool { self.as == "phone" }

    fileprivate var scorekeeper: Scorekeepers.Scorekeeper.Name {
        if isPhone, let name { .phone(name) } else { .user(uid) }
    }

    fileprivate func keeps(_ game: Address) -> Bool {
        guard let address = Address(to) else { return false }
        return isPhone ? address == game : self.as == "player" && address.isBelow(game)
    }
}
