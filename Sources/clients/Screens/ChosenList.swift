package import BusdProtocol
package import BusdTerminal

/// A list with one chosen row. The choice stays on its row while other rows are inserted, deleted
/// and moved. If the chosen row is deleted, the next remaining row is chosen, else the previous
/// one.
package struct ChosenList<Row: Codable & Hashable & Sendable & Identifiable>: Equatable
where Row.ID: Sendable {
    package private(set) var rows: [Row] = []
    package private(set) var chosen: Row.ID?
    /// False before the view model has sent the list.
    package private(set) var isKnown = false
    /// The view model is hidden from the user.
    package private(set) var isHidden = false

    package init() {}

    package var chosenPlace: Int? {
        chosen.flatMap { chosen in rows.firstIndex { $0.id == chosen } }
    }

    package var chosenRow: Row? { chosenPlace.map { rows[$0] } }

    /// Replaces the whole list.
    package mutating func replace(with rows: [Row]) {
        let former = self
        self.rows = rows
        (isKnown, isHidden) = (true, false)
        keepChoice(of: former)
    }

    /// Forgets the list, because the view model is hidden from the user.
    package mutating func hide() {
        self = ChosenList()
        isHidden = true
    }

    /// Edits that do not fit the list, or would take too long, change nothing.
    package mutating func apply(_ edits: [Edit<Row>]) {
        let (moved, isTooMuch) = edits.count.multipliedReportingOverflow(
            by: rows.count + edits.count)
        guard !isTooMuch, moved <= mostMoved else { return }
        let former = self
        if rows.apply(edits) { keepChoice(of: former) }
    }

    package mutating func choose(id: Row.ID) {
        if rows.contains(where: { $0.id == id }) { chosen = id }
    }

    /// Moves the choice down by `step` rows, or up if it is negative. It stops at the ends.
    package mutating func move(by step: Int) {
        let place = (chosenPlace ?? 0) + step
        chosen = rows.isEmpty ? nil : rows[min(max(0, place), rows.count - 1)].id
    }

    /// The first row to show if there is room for `room` rows. The chosen row is in the middle,
    /// except near the ends.
    package func firstShown(of room: Int) -> Int {
        max(0, min((chosenPlace ?? 0) - room / 2, rows.count - room))
    }

    private mutating func keepChoice(of former: Self) {
        guard chosenPlace == nil else { return }
        let left = Set(rows.map(\.id))
        let place = former.chosenPlace ?? 0
        let nearest =
            former.rows[place...].first { left.contains($0.id) }
            ?? former.rows[..<place].last { left.contains($0.id) }
        chosen = (nearest ?? rows.first)?.id
    }
}

/// Limit of the rows that all edits of an event move: far more than a daemon causes, and some
/// seconds of work.
private let mostMoved = 1 << 28

extension Key {
    /// How far this key moves the choice in a list that shows `page` rows; nil for other keys.
    package func step(page: Int) -> Int? {
        switch self {
        case .up, .scrollUp, .text("k"): -1
        case .down, .scrollDown, .text("j"): 1
        case .pageUp: -max(1, page)
        case .pageDown: max(1, page)
        case .home: -1_000_000
        case .end: 1_000_000
        default: nil
        }
    }
}
