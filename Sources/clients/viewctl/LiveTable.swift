import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens
import BusdTerminal
import Glibc

/// Shows the only page of a live table. Its only destination is the end of the program.
final class LiveTable: Router {
    private let page: (any PageHost<Outcome>) -> any Page

    private init(_ page: @escaping (any PageHost<Outcome>) -> any Page) { self.page = page }

    /// Shows a view model until the user quits, at most for `--timeout`, and throws the outcome.
    /// Returns if there is no screen, and the table has to be printed.
    ///
    /// - Parameter missing: the message if there is no such view model.
    static func show<Kind: ViewModelKind>(
        _ kind: Kind.Type, at address: Address, missing: String, _ settings: CommandSettings,
        _ console: Console, _ drawing: @escaping LivePage<Kind>.Drawing
    ) throws {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return }
        do {
            let connection = try settings.newConnection(name: "viewctl")
            // ssh may ask for a password, before the screen takes the terminal.
            if let loss = try connection.reach(as: "viewctl", within: settings.timeout) {
                throw RequestFailure.lost(loss)
            }
            let limit = connection.left(of: settings.timeout ?? .zero)
            let table = LiveTable {
                LivePage<Kind>(connection, address, missing: missing, on: $0, drawing)
            }
            throw try Interface.show(table, connection, within: limit)
        } catch let error as ScreenError {
            console.note("\(error); printing the table")
        }
    }

    func firstPage(on host: any PageHost<Outcome>) -> any Page { page(host) }

    func go(_ outcome: Outcome, on interface: Interface<Outcome>) { interface.end(outcome) }
}

/// A table on the screen: a title, the head, and a line for each row.
struct TablePicture {
    let title: String
    let titleStyle: Style
    let head: String
    let rows: [(line: String, style: Style)]
    /// Rows that the table does not have.
    var omitted = 0
    /// False if the daemon is away, and the table may be old.
    let isLive: Bool

    /// Draws instead of the table until the daemon has sent it.
    static func drawWaiting(on frame: inout Frame, in area: Area) {
        frame.write("Waiting for the daemon…", in: area, row: area.rows / 3, .center, .dim)
    }

    func draw(on frame: inout Frame, in area: Area) {
        let lines = WrappedText(title, columns: area.columns).lines
        for (row, line) in lines.enumerated() {
            frame.write(line, in: area, row: row, .left, titleStyle)
        }
        let table = area.split(rows: lines.count + 1).bottom
        frame.write(head, in: table, row: 0, .left, .bold)
        drawRows(on: &frame, in: table.split(rows: 1).bottom)
        if !isLive { frame.restyle(area) { $0.isDim = true } }
    }

    private func drawRows(on frame: inout Frame, in area: Area) {
        // The last row counts the rows for which there is no room.
        let isWhole = omitted == 0 && rows.count <= area.rows
        let shown = isWhole ? rows.count : max(0, min(rows.count, area.rows - 1))
        for (row, entry) in rows.prefix(shown).enumerated() {
            frame.write(entry.line, in: area, row: row, .left, entry.style)
        }
        if !isWhole {
            let rest = "  and \(rows.count - shown + omitted) more"
            frame.write(rest, in: area, row: shown, .left, .dim)
        }
    }
}
