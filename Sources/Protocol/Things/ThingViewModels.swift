/// The view models of each thing of a library, at `KIND/ID`. They exist as long as the thing, but
/// not while it is marked as deleted (`Thing.expiry(of:)`). When the mark has expired, the thing is
/// deleted for good.
///
///     viewModels = ThingViewModels(of: orders, [OrderPage.self], services)
public final class ThingViewModels<T: Thing> where T.ID == Identifier<T> {
    /// Kinds of view models, and their addresses.
    public typealias Places = [(kind: any ViewModelKind.Type, address: Address)]

    @usableFromInline let library: Library<T>
    @usableFromInline let kinds: [any ViewModelKind.Type]
    @usableFromInline let below: (T.ID, T.Summary) -> Places
    @usableFromInline let directory: any Directory
    @usableFromInline let expirations: Expirations<T>

    /// Adds the view models of all things.
    ///
    /// - Parameters:
    ///   - library: the things.
    ///   - kinds: each thing has a view model of each of them, at `Identifier.address(of:)`.
    ///   - services: those of the view model that shows the list.
    ///   - below: more view models, at addresses below these.
    @inlinable public init(
        of library: Library<T>, _ kinds: [any ViewModelKind.Type],
        _ services: any HasDirectory & HasClock,
        below: @escaping (T.ID, T.Summary) -> Places = { _, _ in [] }
    ) {
        (self.library, self.kinds, self.below) = (library, kinds, below)
        directory = services.directory
        expirations = Expirations(of: library, clock: services.clock)
        for id in library.ids {
            if let summary = library.summary(of: id), T.expiry(of: summary) == nil {
                add(id, summary)
            }
        }
        library.changes.bind(self) { $0.follow($1) }
    }

    @inlinable func follow(_ change: LibraryChange<T>) {
        switch change {
        case .created(let id, let summary): add(id, summary)
        case .changed(let id, let summary, let before):
            let expiry = T.expiry(of: summary)
            guard expiry != T.expiry(of: before) else { return }
            expirations.schedule(id)
            if expiry == nil { add(id, summary) } else { remove(id) }
        case .moved: break
        case .deleted(let id):
            expirations.schedule(id)
            remove(id)
        }
    }

    @inlinable func add(_ id: T.ID, _ summary: T.Summary) {
        for kind in kinds { directory.add(kind, at: id.address(of: kind)) }
        for (kind, address) in below(id, summary) { directory.add(kind, at: address) }
    }

    @inlinable func remove(_ id: T.ID) {
        for kind in kinds { directory.remove(id.address(of: kind)) }
    }
}
