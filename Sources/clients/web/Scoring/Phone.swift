import BusdClient
import BusdProtocol

/// A paired phone: its control connection to busd, under the name of its pairing.
///
/// `viewctl who` lists only connections with a subscription, so this one subscribes to the game.
/// The terminal program `scoreboard` then names the phone beside the other keepers.
final class Phone {
    /// The cookie that proves the pairing.
    let cookie: String
    let pairing: Pairing
    /// The game of the page that the phone opened last, or of its newest tap. Nil: there is none.
    var game: Address? {
        didSet {
            guard game != oldValue else { return }
            if let oldValue { connection.request(.unsubscribe(Pattern(oldValue))) }
            watch()
        }
    }
    private let connection: BusConnection

    init(_ pairing: Pairing, cookie: String, control path: String, loop: ClientLoop) {
        (self.pairing, self.cookie) = (pairing, cookie)
        game = Route.Subject(pairing.page)?.game
        connection = BusConnection(loop: loop, path: path, name: pairing.name)
        connection.listen(self) { phone, event in
            if case .connected = event { phone.watch() }
        }
        connection.open()
    }

    deinit { connection.close() }

    /// Sends an event once: a repetition with the same key has no effect in busd.
    func send(
        _ event: ArraySlice<UInt8>, to address: Address, key: String,
        _ answered: @escaping (BusConnection.Answer) -> Void
    ) {
        connection.send(
            Array(event), to: address, key: key, canWait: false, within: BusReader.patience,
            answered)
    }

    func close() { connection.close() }

    private func watch() {
        guard let game else { return }
        // It needs no event: the page has a stream of its own. One rare name keeps it quiet.
        connection.request(
            .subscribe(Pattern(game), as: "phone", only: ["finished"]))
    }
}
