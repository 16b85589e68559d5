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
        guard let house else { return TablePicture.drawWaiting(on: &frame, in: area) }
        let lines = house.lines(TextStyle(isColoured: false))
        let rows = zip(lines.dropFirst(2), house.daemons).map { line, daemon in
            (line: line, style: daemon.behind == 0 ? Style.plain : Style(.notice))
        }
        TablePicture(
            title: lines[0],
            titleStyle: Style(house.state == "following" ? .good : .bad, bold: true),
            head: lines[1], rows: rows, isLive: isLive
        ).draw(on: &frame, in: area)
    }
}
