/// Deletes the things of a library for good when they have expired. Its owner reports changes of an
/// expiry, so that other changes cost nothing.
public final class Expirations<T: Thing> {
    private let library: Library<T>
    private let clock: any Clock
    private var timers: [T.ID: ScheduledAction] = [:]

    /// The log may refuse an entry, for example while a daemon does not follow its house.
    private static var delayOfNextTry: Duration { .seconds(60) }

    /// Watches all things of the library.
    public init(of library: Library<T>, clock: any Clock) {
        self.library = library
        self.clock = clock
        for id in library.ids { schedule(id) }
    }

    /// Call it when the expiry of a thing has changed, and when the thing was deleted.
    public func schedule(_ id: T.ID) {
        timers[id] = expiry(of: id).map { schedule(id, at: $0) }
    }

    private func expiry(of id: T.ID) -> Instant? {
        library.summary(of: id).flatMap { T.expiry(of: $0) }
    }

    private func schedule(_ id: T.ID, at instant: Instant) -> ScheduledAction {
        clock.schedule(at: instant) { [weak self] in self?.expire(id) }
    }

    private func expire(_ id: T.ID) {
        library.expire(id) { [weak self] outcome in
            if case .applied = outcome { return }
            guard let self, expiry(of: id) != nil else { return }
            timers[id] = schedule(id, at: clock.now + Self.delayOfNextTry)
        }
    }
}

/// A deletion that can be taken back.
public enum Deletion {
    /// For how long.
    public static let span = Duration.seconds(600)
}
