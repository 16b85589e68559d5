/// A list that an output shows: whole to a view that joins, and as edits to views that have it.
///
///     list = ListOutput(output, { .items(items: $0) }, edited: { .itemsEdited(edits: $0) })
///     list.show(shopping.items)
///
/// Inlinable, so it is specialised for the rows of each caller.
public struct ListOutput<Row: Codable & Equatable & Sendable, Event: WireEvent> {
    /// The rows that views have.
    public var rows: [Row] { shown }

    @usableFromInline var shown: [Row] = []
    /// Whether views have the whole list.
    @usableFromInline var isShown = false
    @usableFromInline let output: Output<Event>
    @usableFromInline let whole: ([Row]) -> Event
    @usableFromInline let edited: ([Edit<Row>]) -> Event
    @usableFromInline let name: String

    /// - Parameters:
    ///   - output: of the view model that shows the list.
    ///   - whole: the value with all rows (`Delivery.latest`).
    ///   - edited: the event with the edits (`Delivery.every`).
    public init(
        _ output: Output<Event>, _ whole: @escaping ([Row]) -> Event,
        edited: @escaping ([Edit<Row>]) -> Event
    ) {
        (self.output, self.whole, self.edited) = (output, whole, edited)
        name = whole([]).name
    }

    /// Shows these rows in place of those before: sends the edits, or all rows the first time.
    @inlinable public mutating func show(_ rows: [Row]) {
        guard isShown else {
            (shown, isShown) = (rows, true)
            return output.send(whole(rows))
        }
        let edits = [Edit](from: shown, to: rows)
        guard !edits.isEmpty else { return }
        shown = rows
        output.send(edited(edits), current: whole(rows))
    }

    /// Shows one change of the rows. Costs less than `show(_:)`, which compares lists. Without
    /// effect before the first `show(_:)`, and if the edit has a place outside the list.
    @inlinable public mutating func apply(_ edit: Edit<Row>) {
        guard isShown, shown.fits([edit]) else { return }
        // If the output held the rows, too, an edit would copy all of them.
        output.withdraw(name)
        _ = shown.apply([edit])
        output.send(edited([edit]), current: whole(shown))
    }
}
