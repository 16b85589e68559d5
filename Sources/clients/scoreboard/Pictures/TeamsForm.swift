import BusdGamesEvents
import BusdProtocol
import BusdScreens
import BusdTerminal

/// The places of the fields for the names of two teams, side by side.
struct TeamsForm {
    let area: Area
    /// The distance between the rows of two fields.
    let step: Int

    /// Columns for the label of a field.
    static let label = 6

    static func rows(size: Int, step: Int) -> Int { 1 + (1 + size) * step }

    func drawHeads(on frame: inout Frame) {
        for side in Side.allCases {
            let row = column(side).split(columns: Self.label).right
            frame.write(
                side == .home ? "Home" : "Away", in: row, .left, Style(side.color, bold: true))
        }
    }

    /// - Parameter place: a name.
    func row(of place: FieldPlace) -> Area {
        column(place.side ?? .home).split(rows: step * (place.row + 1)).bottom.split(rows: 1).top
    }

    private func column(_ side: Side) -> Area {
        let columns = (area.columns - (area.columns >= 52 ? 6 : 2)) / 2
        return side == .home
            ? area.split(columns: columns).left
            : area.split(columns: area.columns - columns).right
    }
}

extension FieldPlace {
    /// The label of a name.
    var label: String { row == 0 ? "Team" : "\(row)" }
}
