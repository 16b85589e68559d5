import BusdTerminal

/// The first row of a page: its title and progress.
struct TitleRow {
    let title: String
    /// Beside the title.
    var note = ""
    /// `43% KNOWN`
    let progress: String

    private static let bar = 20

    func draw(on frame: inout Frame, in row: Area) {
        let hasBar = row.columns >= 64
        let (rest, bar) = row.split(columns: row.columns - (hasBar ? Self.bar + 2 : 0))
        if hasBar, !progress.isEmpty {
            ProgressBar(progress).draw(on: &frame, in: bar.split(columns: 2).right)
        }
        frame.write(progress, in: rest, .right, ProgressBar(progress).style)
        let room = rest.split(columns: rest.columns - progress.columns - 2).left
        frame.write(title, in: room, .left, .bold)
        let beside = room.split(columns: title.columns + 2).right
        frame.write(note, in: beside, .left, .dim)
    }
}
