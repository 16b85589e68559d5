import BusdProtocol
import BusdScreens
import BusdTerminal

/// The game creator: the names of both teams side by side, and below them the problems.
struct CreatorPicture {
    let state: CreatorState
    /// The name of a draft that other terminals may edit too; nil for a private draft.
    let sharedAs: String?

    static let minimum = Size(columns: 36, rows: 10)
    private static let label = 6
    private static let button = Button("Create", .enter)

    func draw(on picture: inout Picture, in area: Area) {
        let inner = area.inset(columns: area.columns >= 60 ? 4 : 0)
        let gap = area.rows >= 14 ? 1 : 0
        let step = area.rows >= 20 ? 2 : 1
        let (title, rest) = inner.split(rows: 1 + gap)
        let (form, problems) = rest.split(rows: 1 + (1 + Team.usualSize) * step)
        drawTitle(on: &picture, in: title)
        for side in Side.allCases { drawHead(side, on: &picture.frame, in: column(side, of: form)) }
        for (index, place) in FieldPlace.all.enumerated() {
            let column = column(place.side, of: form)
            let row = column.split(rows: step * (place.row + 1)).bottom.split(rows: 1).top
            draw(index, place, on: &picture, in: row)
        }
        drawProblems(on: &picture.frame, in: problems.split(rows: 1).bottom)
    }

    private func column(_ side: Side, of form: Area) -> Area {
        let columns = (form.columns - (form.columns >= 52 ? 6 : 2)) / 2
        return side == .home
            ? form.split(columns: columns).left
            : form.split(columns: form.columns - columns).right
    }

    private func drawTitle(on picture: inout Picture, in row: Area) {
        let title = sharedAs.map { "New game · draft \($0)" } ?? "New game"
        let (left, right) = row.split(columns: row.columns - Self.button.columns)
        picture.frame.write(title, in: left, .left, .bold)
        Self.button.draw(isEnabled: state.canCreate, on: &picture, in: right)
    }

    private func drawHead(_ side: Side, on frame: inout Frame, in column: Area) {
        let name = side == .home ? "Home" : "Away"
        let row = column.split(columns: Self.label).right
        frame.write(name, in: row, .left, Style(side.color, bold: true))
    }

    private func draw(_ index: Int, _ place: FieldPlace, on picture: inout Picture, in row: Area) {
        FormField(
            number: index, label: place.row == 0 ? "Team" : "\(place.row)",
            field: state.fields[index].field, isFocused: index == state.focus
        ).draw(on: &picture, in: row, labelColumns: Self.label)
    }

    private func drawProblems(on frame: inout Frame, in area: Area) {
        ProblemList(state.problems).draw(on: &frame, in: area)
        if state.problems.isEmpty, state.canCreate {
            frame.write("Ready.", in: area, .left, Style(.good))
        }
    }
}
