import BusdClient
import BusdProtocol

/// A paired phone: its control connection to busd, under the name of its pairing.
///
/// Its connection subscribes to what the phone is used for. So `viewctl who` and other views name
/// the phone: they list only connections with a subscription.
final class Phone {
    /// The cookie that proves the pairing.
    let cookie: String
    let pairing: Pairing
    /// That of the page that the phone opened last, or of its newest tap. Nil: there is none.
    var presence: Presence? {
        didSet {
            guard presence != oldValue else { return }
            if let oldValue { connection.request(.unsubscribe(Pattern(oldValue.address))) }
            watch()
        }
    }
    private let connection: BusConnection

    init(
        _ pairing: Pairing, cookie: String, presence: Presence?, control path: String,
        loop: ClientLoop
    ) {
        (self.pairing, self.cookie, self.presence) = (pairing, cookie, presence)
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
        guard let presence else { return }
        connection.request(
            .subscribe(Pattern(presence.address), as: "phone", only: [presence.event]))
    }
}
