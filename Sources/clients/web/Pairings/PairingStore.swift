import BusdFiles
import BusdProtocol

/// The pairings, each a file in a folder of the state folder.
///
/// Every method reads the folder anew, because the server and the verbs are different processes:
/// what `unpair` removes is over with the next request. A change of a file is made under the lock
/// of the folder, so that the use of a link never brings back a pairing that was just ended.
///
/// Only `end`, and a new pairing that needs the room, remove a file: a clock that is wrong for a
/// while ends no pairing for good.
struct PairingStore {
    /// The most pairings at a time.
    static let most = 1_000

    private let path: String

    init(in state: PairingFolder) { path = "\(state.path)/pairings" }

    /// Makes a pairing, and its link. In a full folder, the pairing that ended first gives way.
    ///
    /// - Parameters:
    ///   - lasting: in seconds.
    ///   - now: in seconds since 1970 (UTC).
    func create(
        to: Pattern, name: String, lasting: Int, now: Int
    ) throws(StateFault) -> (pairing: Pairing, link: PairingToken) {
        let folder = try PrivateFolder(making: path)
        return try folder.locked(waits: true) { () throws(StateFault) in
            // Files that a crash has left unfinished.
            for id in try self.ids(in: folder, unfinished: true) {
                try folder.remove(OpenFolder.unfinished(Self.file(id)))
            }
            var ids = try ids(in: folder)
            if ids.count >= Self.most, let ended = try firstEnded(in: folder, now) {
                try folder.remove(Self.file(ended))
                ids.remove(ended)
            }
            guard ids.count < Self.most else {
                throw StateFault(
                    "there are \(Self.most) pairings, the most that can be: end some with "
                        + "busd-web unpair")
            }
            var id = PairingID.random()
            while ids.contains(id) { id = PairingID.random() }
            let link = PairingToken.random(for: id)
            let pairing = Pairing(link, to: to, name: name, lasting: lasting, now: now)
            try write(pairing, to: folder)
            return (pairing, link)
        }
    }

    struct Listing: Equatable {
        /// In the order in which they were made.
        var pairings: [Pairing] = []
        /// Files that are no pairings, with the reason.
        var damaged: [Damaged] = []

        struct Damaged: Equatable {
            let id: PairingID
            /// A sentence with the path of the file.
            let reason: String
        }
    }

    /// All pairings that have not ended.
    func all(now: Int) throws(StateFault) -> Listing {
        guard let folder = try PrivateFolder(opening: path) else { return Listing() }
        var listing = try listing(of: folder)
        listing.pairings.removeAll { $0.hasEnded(at: now) }
        return listing
    }

    /// The ids of all files: also of damaged ones, and of pairings that have ended.
    func ids() throws(StateFault) -> [PairingID] {
        guard let folder = try PrivateFolder(opening: path) else { return [] }
        return try ids(in: folder).sorted()
    }

    /// Ends a pairing at once. False if there is none.
    func end(_ id: PairingID) throws(StateFault) -> Bool {
        guard let folder = try PrivateFolder(opening: path) else { return false }
        return try folder.locked(waits: true) { () throws(StateFault) in
            try folder.remove(Self.file(id))
        }
    }

    /// Uses a link. When this returns a cookie, the disk has the cookie, and the link works no
    /// more. A fault leaves the link as it was.
    ///
    /// - Parameter text: from a phone.
    func redeem(link text: String, now: Int) throws(StateFault) -> Redemption {
        guard let link = PairingToken(text), let folder = try PrivateFolder(opening: path) else {
            return .unknown
        }
        // A server must not wait for a verb.
        return try folder.locked(waits: false) { () throws(StateFault) in
            guard case .pairing(var pairing) = try read(link.id, in: folder),
                pairing.link == link.digest
            else { return .unknown }
            if pairing.hasEnded(at: now) { return .expired }
            switch pairing.linkState(at: now) {
            case .used: return .used
            case .expired: return .expired
            case .unused: break
            }
            let cookie = PairingToken.random(for: link.id)
            pairing.use(by: cookie)
            try write(pairing, to: folder)
            return .cookie(cookie.text, pairing)
        }
    }

    /// The pairing of a cookie; `nil` if it has ended, or never was.
    ///
    /// - Parameter text: from a phone.
    func pairing(cookie text: String, now: Int) throws(StateFault) -> Pairing? {
        guard let cookie = PairingToken(text), let folder = try PrivateFolder(opening: path),
            case .pairing(let pairing) = try read(cookie.id, in: folder),
            pairing.cookie == cookie.digest, !pairing.hasEnded(at: now)
        else { return nil }
        return pairing
    }

    // MARK: Files

    private static func file(_ id: PairingID) -> String { "\(id).json" }

    /// The ids that files have. Files with other names are left alone.
    private func ids(
        in folder: PrivateFolder, unfinished: Bool = false
    ) throws(StateFault) -> Set<PairingID> {
        var ids: Set<PairingID> = []
        for name in try folder.names() {
            let stem = name.utf8.prefix { $0 != UInt8(ascii: ".") }
            guard let id = PairingID(String(Substring(stem))) else { continue }
            let file = unfinished ? OpenFolder.unfinished(Self.file(id)) : Self.file(id)
            if name.isExactly(file) { ids.insert(id) }
        }
        return ids
    }

    private enum Found {
        case missing
        case damaged(String)
        case pairing(Pairing)
    }

    private func read(_ id: PairingID, in folder: PrivateFolder) throws(StateFault) -> Found {
        let path = "\(folder.path)/\(Self.file(id))"
        do {
            let bytes = try folder.read(Self.file(id), most: Pairing.longestFile)
            let pairing = Pairing(fileContent: bytes, id: id)
            return pairing.map { .pairing($0) } ?? .damaged("\(path) is damaged")
        } catch  where error.isMissing {
            return .missing
        } catch .system(let error) {
            throw StateFault(path, error)
        } catch {
            return .damaged("\(path) \(error.reason(of: path))")
        }
    }

    private func write(_ pairing: Pairing, to folder: PrivateFolder) throws(StateFault) {
        try folder.replace(Self.file(pairing.id), with: pairing.fileContent)
    }

    private func listing(of folder: PrivateFolder) throws(StateFault) -> Listing {
        var listing = Listing()
        for id in try ids(in: folder).sorted() {
            do {
                switch try read(id, in: folder) {
                case .missing: continue
                case .damaged(let reason): listing.damaged.append(.init(id: id, reason: reason))
                case .pairing(let pairing): listing.pairings.append(pairing)
                }
            } catch {
                listing.damaged.append(.init(id: id, reason: error.description))
            }
        }
        listing.pairings.sort { ($0.made, $0.id) < ($1.made, $1.id) }
        return listing
    }

    /// `nil`: none has ended.
    private func firstEnded(
        in folder: PrivateFolder, _ now: Int
    ) throws(StateFault) -> PairingID? {
        let first = try listing(of: folder).pairings.min { $0.ends < $1.ends }
        return first.flatMap { $0.hasEnded(at: now) ? $0.id : nil }
    }
}

/// What came of the use of a link.
enum Redemption: Equatable {
    /// The value of the cookie, which is a secret of the phone.
    case cookie(String, Pairing)
    case used
    case expired
    case unknown

    /// For the phone: why it got no cookie, and what to do.
    var refusal: String? {
        let remedy = "Ask for a new one: busd-web pair"
        return switch self {
        case .cookie: nil
        case .used: "This link was already used; it works once. \(remedy)"
        case .expired: "This link is too old; it works for ten minutes. \(remedy)"
        case .unknown: "This link is wrong, or its pairing was ended. \(remedy)"
        }
    }
}
