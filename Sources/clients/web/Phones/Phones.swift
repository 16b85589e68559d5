import BusdClient
import BusdProtocol
import Glibc

/// The paired phones, and what they may do.
///
/// A pairing is looked up in its file for each request, and each second while the phone is
/// connected. So its end, and `busd-web unpair`, act at once.
final class Phones {
    /// A phone without a page and without a tap keeps its connection for this long.
    private static let rest = Duration.seconds(60)

    private struct Place {
        weak var phone: Phone?
        /// Keeps the phone for a while after a tap.
        var kept: ScheduledAction?
    }

    /// What phones may do.
    private let uses: [PhoneUse]
    private let control: String
    private let store: PairingStore
    private let loop: ClientLoop
    private var places: [PairingID: Place] = [:]
    private var check: ScheduledAction?

    /// - Parameter control: the path of busd's control socket.
    init(for uses: [PhoneUse], control: String, store: PairingStore, loop: ClientLoop) {
        (self.uses, self.control, self.store, self.loop) = (uses, control, store, loop)
    }

    /// The pairing that one of these cookies proves: the newest that covers the address, else the
    /// newest one. So a phone that is handed on sends under its new name.
    func pairing(
        of cookies: [String], for address: Address?
    ) throws(StateFault) -> (pairing: Pairing, cookie: String)? {
        var all: [(pairing: Pairing, cookie: String)] = []
        for cookie in cookies {
            guard let pairing = try store.pairing(cookie: cookie, now: time(nil)) else { continue }
            all.append((pairing, cookie))
        }
        // Of two in the same second the later cookie: browsers send the newest one last.
        let newestFirst = all.reversed().sorted { $0.pairing.made > $1.pairing.made }
        return newestFirst.first { address.map($0.pairing.covers) ?? true } ?? newestFirst.first
    }

    /// Takes the secret of a link.
    func redeem(_ link: String) throws(StateFault) -> Redemption {
        try store.redeem(link: link, now: time(nil))
    }

    /// The phone with its connection, which exists as long as the phone is held, and for a minute.
    func phone(_ pairing: Pairing, cookie: String) -> Phone {
        let phone =
            places[pairing.id]?.phone
            ?? Phone(
                pairing, cookie: cookie, presence: uses.opening(for: pairing.to)?.presence,
                control: control, loop: loop)
        let kept = loop.clock.schedule(after: Self.rest) { withExtendedLifetime(phone) {} }
        places[pairing.id] = Place(phone: phone, kept: kept)
        if check == nil { checkLater() }
        return phone
    }

    /// False also while its file cannot be read.
    private func hasEnded(_ phone: Phone) -> Bool {
        do throws(StateFault) {
            return try store.pairing(cookie: phone.cookie, now: time(nil)) == nil
        } catch {
            return false
        }
    }

    private func checkLater() {
        check = loop.clock.schedule(after: .seconds(1)) { [weak self] in self?.checkPairings() }
    }

    private func checkPairings() {
        for (id, place) in places {
            guard let phone = place.phone else {
                places[id] = nil
                continue
            }
            guard hasEnded(phone) else { continue }
            phone.close()
            places[id] = nil
        }
        check = nil
        if !places.isEmpty { checkLater() }
    }
}
