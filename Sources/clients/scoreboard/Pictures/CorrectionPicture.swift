import BusdScreens
import BusdTerminal

/// The names of both teams side by side, and below them the clock.
struct CorrectionPicture {
    let form: CorrectionForm

    static func minimum(size: Int) -> Size { Size(columns: 36, rows: size + 4) }

    func draw(on picture: inout Picture, in area: Area) {
        let inner = area.inset(columns: area.columns >= 60 ? 4 : 0)
        let gap = area.rows >= form.size + 6 ? 1 : 0
        let step = area.rows >= 2 * form.size + 9 ? 2 : 1
        let (title, rest) = inner.split(rows: 1 + gap)
        picture.frame.write("Corrections", in: title, .left, .bold)
        let (names, below) = rest.split(rows: TeamsForm.rows(size: form.size, step: step))
        let teams = TeamsForm(area: names, step: step)
        teams.drawHeads(on: &picture.frame)
        let clock = below.split(rows: gap).bottom.split(rows: 1).top
        for (index, entry) in form.entries.enumerated() {
            let row = entry.place.map { teams.row(of: $0) } ?? clock.split(columns: 20).left
            FormField(
                number: index, label: entry.place?.label ?? "Clock", field: entry.field,
                isFocused: index == form.focus
            ).draw(on: &picture, in: row, labelColumns: TeamsForm.label)
        }
    }
}
