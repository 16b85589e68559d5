import BusdProtocol
import BusdScreens
import BusdTerminal

/// The table of a house: its state, and a row for each daemon.
struct HousePicture {
    /// Nil until the daemon has sent it.
    let house: HouseState?
    /// False if the daemon is away, and the table may be old.
    let isLive: Bool

    func draw(on frame: inout Frame, in area: Area) {
        let area = area.inset(columns: area.columns >= 60 ? 2 : 0)
        guard let house else {
            let text = "Waiting for the daemon…"
            return frame.write(text, in: area, row: area.rows / 3, .center, .dim)
        }
        let lines = house.lines(TextStyle(isColoured: false))
        let title = WrappedText(lines[0], columns: area.columns).lines
        let style = Style(house.state == "following" ? .good : .bad, bold: true)
        for (row, line) in title.enumerated() {
            frame.write(line, in: area, row: row, .left, style)
        }
        let table = area.split(rows: title.count + 1).bottom
        frame.write(lines[1], in: table, row: 0, .left, .bold)
        let rest = table.split(rows: 1).bottom
        draw(Array(lines.dropFirst(2)), of: house.daemons, on: &frame, in: rest)
        if !isLive { frame.restyle(area) { $0.isDim = true } }
    }

    private func draw(
        _ lines: [String], of daemons: [BusHouse.Row], on frame: inout Frame, in area: Area
    ) {
        // The last row counts the daemons for which there is no room.
        let shown = lines.count > area.rows ? max(0, area.rows - 1) : lines.count
        for (row, line) in lines.prefix(shown).enumerated() {
            let isCurrent = daemons[row].behind == 0
            frame.write(line, in: area, row: row, .left, isCurrent ? .plain : Style(.notice))
        }
        if shown < lines.count {
            let rest = "  and \(lines.count - shown) more"
            frame.write(rest, in: area, row: shown, .left, .dim)
        }
    }
}
