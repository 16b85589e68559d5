/// A row for each thing of a library, as a view model shows them.
///
///     rows = ThingRows(of: orders, .newestFirst, on: list) { id, order in Orders.Row(id, order) }
///     orders.changes.bind(self) { $0.rows?.show($1) }
///
/// Inlinable, so it is specialised for the things of each caller.
public final class ThingRows<T: Thing, Row: Codable & Equatable & Sendable, Event: WireEvent>
where T.ID == Identifier<T> {
    /// In which order the rows stand.
    public enum Order: Sendable {
        /// As the library has the things: the oldest first, but for things that were moved.
        case ofLibrary
        /// By their ids. Moves in the library are not shown.
        case newestFirst
    }

    @usableFromInline let order: Order
    @usableFromInline let row: (T.ID, T.Summary) -> Row
    @usableFromInline let update: (inout Row, T.ID, T.Summary) -> Void
    @usableFromInline let list: ListOutput<Row, Event>
    /// The ids of the rows.
    @usableFromInline var ids: [T.ID]

    /// Shows all things.
    ///
    /// - Parameters:
    ///   - library: the things.
    ///   - order: of the rows.
    ///   - list: has not been shown.
    ///   - update: changes the row of a thing to that of its new summary. By default, it makes
    ///     another one.
    ///   - row: the row of the thing with this summary.
    @inlinable public init(
        of library: Library<T>, _ order: Order = .ofLibrary, on list: ListOutput<Row, Event>,
        update: ((inout Row, T.ID, T.Summary) -> Void)? = nil,
        row: @escaping (T.ID, T.Summary) -> Row
    ) {
        (self.order, self.list) = (order, list)
        self.row = row
        self.update = update ?? { $0 = row($1, $2) }
        ids = order == .newestFirst ? library.ids.sorted(by: >) : library.ids
        list.show(ids.compactMap { id in library.summary(of: id).map { row(id, $0) } })
    }

    /// Shows a change of the library (`Library.changes`).
    @inlinable public func show(_ change: LibraryChange<T>) {
        switch change {
        case .created(let id, let summary):
            let place = order == .newestFirst ? countOfNewer(than: id) : ids.count
            ids.insert(id, at: place)
            list.apply(.insert(at: place, row: row(id, summary)))
        case .changed(let id, let summary, _):
            guard let place = place(of: id) else { return }
            let before = list.rows[place]
            var row = before
            update(&row, id, summary)
            if row != before { list.apply(.update(at: place, row: row)) }
        case .moved(let id, let to):
            guard order == .ofLibrary, let from = place(of: id), ids.indices.contains(to) else {
                return
            }
            ids.insert(ids.remove(at: from), at: to)
            list.apply(.move(from: from, to: to))
        case .deleted(let id):
            guard let place = place(of: id) else { return }
            ids.remove(at: place)
            list.apply(.delete(at: place))
        }
    }

    @inlinable func place(of id: T.ID) -> Int? {
        guard order == .newestFirst else { return ids.firstIndex(of: id) }
        let place = countOfNewer(than: id)
        return place < ids.count && ids[place] == id ? place : nil
    }

    /// A binary search: ids descend.
    @inlinable func countOfNewer(than id: T.ID) -> Int {
        ids.indices.partitionPoint { ids[$0] > id }
    }
}
