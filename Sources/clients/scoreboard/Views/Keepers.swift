import BusdClient
import BusdProtocol
import BusdScreens

/// The other connections that keep the score of a game: they may send, and show its players. Each
/// is named by its user.
final class Keepers: View {
    /// A user with such connections.
    struct Keeper: Equatable {
        let uid: Int
        /// When the first of the user's players was shown, in seconds since 1970 (UTC).
        var since: Int?
    }

    let output = Output<BusViews.ViewEvent>()
    /// What is shown has changed.
    var onChanged: (() -> Void)?
    /// In the order of their connections. Empty while `bus/views` is not known.
    private(set) var keepers: [Keeper] = [] {
        didSet { if keepers != oldValue { onChanged?() } }
    }
    private let game: Address
    private let connection: BusConnection
    private let users: UserNames
    private let viewModel: RemoteViewModel<BusViews>
    private var isBound = false
    /// The users of the other connections that may send.
    private var scorers: [Int: Int] = [:]

    /// - Parameter users: on a daemon of another machine, users are numbers.
    init(of game: Address, _ connection: BusConnection, _ users: UserNames) {
        (self.game, self.connection, self.users) = (game, connection, users)
        viewModel = RemoteViewModel(connection, at: BusViews.address, as: "keepers")
        viewModel.onLiveChanged = { [weak self] isLive in if !isLive { self?.forget() } }
    }

    /// Subscribes, if this connection may send and is not subscribed. If a policy hides
    /// `bus/views`, there are no keepers.
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
            scorers = Dictionary(others.map { ($0.connection, $0.uid) }) { first, _ in first }
            keepers = keepers(in: others)
        }
    }

    private func keepers(in rows: [BusViews.Row]) -> [Keeper] {
        var keepers: [Keeper] = []
        for row in rows where row.as == "player" && Address(row.to)?.isBelow(game) == true {
            guard let place = keepers.firstIndex(where: { $0.uid == row.uid }) else {
                keepers.append(Keeper(uid: row.uid, since: row.since))
                continue
            }
            if let since = row.since {
                keepers[place].since = min(keepers[place].since ?? since, since)
            }
        }
        return keepers
    }

    /// The rows of a lost connection name this client by its old number.
    private func forget() {
        scorers = [:]
        keepers = []
    }

    // MARK: Words

    /// `bob keeps this game too, since 14:05`; nil: no other connection does.
    func text(at now: LocalTime) -> String? {
        guard let first = keepers.first else { return nil }
        guard keepers.count > 1 else {
            let since = first.since.map { ", since \(LocalTime(seconds: $0).short(at: now))" }
            return "\(name(of: first.uid)) keeps this game too\(since ?? "")"
        }
        var names = keepers.prefix(Self.mostNamed).map { name(of: $0.uid) }
        if keepers.count > Self.mostNamed {
            names[Self.mostNamed - 1] = "\(keepers.count - Self.mostNamed + 1) others"
        }
        let last = names.removeLast()
        return "\(names.joined(separator: ", ")) and \(last) keep this game too"
    }

    private static let mostNamed = 3

    /// The user that caused an event; nil: this connection caused it, or `bus/views` is not known.
    func name(of cause: BusEvent.Cause) -> String? {
        guard viewModel.isLive, let number = connection.number, cause.connection != number else {
            return nil
        }
        return scorers[cause.connection].map(name) ?? "another client"
    }

    private func name(of uid: Int) -> String {
        // The kernel shows this number for each user of another namespace.
        if uid == 65_534 { return "an unknown user" }
        return users.find(uid)?.printable ?? "user \(uid)"
    }
}
