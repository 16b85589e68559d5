/// A list that an output shows: whole to a view that joins, and as edits to views that have it.
///
///     list = ListOutput(output, { .items(items: $0) }, edited: { .itemsEdited(edits: $0) })
///     list.show(shopping.items)
///
/// Inlinable, so it is specialised for the rows of each caller.
public struct ListOutput<Row: Codable & Equatable & Sendable, Event: WireEvent> {
    /// The rows that views have.
    @inlinable public var rows: [Row] { shown.rows }

    @usableFromInline let shown = Shown()
    @usableFromInline let output: Output<Event>
    @usableFromInline let whole: ([Row]) -> Event
    @usableFromInline let edited: ([Edit<Row>]) -> Event

    /// The only owner of the rows, so an edit never copies all of them. The output asks it for the
    /// list when a view joins.
    @usableFromInline final class Shown {
        @usableFromInline var rows: [Row] = []
        /// Whether views have the whole list.
        @usableFromInline var isWhole = false

        @inlinable init() {}
    }

    /// - Parameters:
    ///   - output: of the view model that shows the list.
    ///   - whole: the value with all rows (`Delivery.latest`).
    ///   - edited: the event with the edits (`Delivery.every`).
    @inlinable public init(
        _ output: Output<Event>, _ whole: @escaping ([Row]) -> Event,
        edited: @escaping ([Edit<Row>]) -> Event
    ) {
        (self.output, self.whole, self.edited) = (output, whole, edited)
    }

    /// Shows these rows in place of those before: sends the edits, or all rows the first time.
    @inlinable public func show(_ rows: [Row]) {
        guard shown.isWhole else {
            (shown.rows, shown.isWhole) = (rows, true)
            return output.send(list: whole(rows), empty: whole([])) { [shown, whole] in
                whole(shown.rows)
            }
        }
        let edits = [Edit](from: shown.rows, to: rows)
        guard !edits.isEmpty else { return }
        shown.rows = rows
        output.send(edited(edits))
    }

    /// Shows one change of the rows. Costs less than `show(_:)`, which compares lists. Without
    /// effect before the first `show(_:)`, and if the edit has a place outside the list.
    @inlinable public func apply(_ edit: Edit<Row>) {
        let edits = [edit]
        guard shown.isWhole, shown.rows.apply(edits) else { return }
        output.send(edited(edits))
    }
}
