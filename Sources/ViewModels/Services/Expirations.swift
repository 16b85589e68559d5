import BusdProtocol

/// Deletes the things of a library for good when they have expired.
final class Expirations<T: Thing> {
    private let library: Library<T>
    private let clock: any Clock
    private var timers: [T.ID: ScheduledAction] = [:]

    /// The log may refuse an entry, for example while a daemon does not follow its house.
    private static var delayAfterRefusal: Duration { .seconds(60) }

    init(of library: Library<T>, clock: any Clock) {
        self.library = library
        self.clock = clock
        for id in library.ids { schedule(id) }
        library.changes.bind(self) { $0.follow($1) }
    }

    private func follow(_ change: LibraryChange<T>) {
        switch change {
        case .created, .moved: break
        case .changed(let id, _, let before):
            if expiry(of: id) != T.expiry(of: before) { schedule(id) }
        case .deleted(let id): timers[id] = nil
        }
    }

    private func schedule(_ id: T.ID) {
        timers[id] = expiry(of: id).map { schedule(id, at: $0) }
    }

    /// The library has computed the summary, so no change of a thing computes it again.
    private func expiry(of id: T.ID) -> Instant? {
        library.summary(of: id).flatMap { T.expiry(of: $0) }
    }

    private func schedule(_ id: T.ID, at instant: Instant) -> ScheduledAction {
        clock.schedule(at: instant) { [weak self] in self?.expire(id) }
    }

    private func expire(_ id: T.ID) {
        library.expire(id) { [weak self] outcome in
            guard let self, case .refused = outcome, library.contains(id) else { return }
            timers[id] = schedule(id, at: clock.now + Self.delayAfterRefusal)
        }
    }
}

/// A deletion that can be taken back.
enum Deletion {
    /// For how long.
    static let span = Duration.seconds(600)
}
