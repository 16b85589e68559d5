import BusdScreens
import BusdTerminal

/// Two fields, a button, and below them the result.
struct LoginPicture {
    private let username: TextField
    private let password: TextField
    private let focus: LoginView.Field
    private let canLogIn: Bool
    private let isBusy: Bool
    private let message: LoginView.Message?

    static let minimum = Size(columns: 30, rows: 6)
    private static let largest = Size(columns: 52, rows: 10)
    private static let label = 11
    private static let button = Button("Log in", .enter)

    init(_ view: LoginView) {
        username = view.username
        password = TextField(String(repeating: "•", count: view.password.count))
        focus = view.focus
        canLogIn = view.canLogIn
        isBusy = view.isBusy
        message = view.message
    }

    func draw(on picture: inout Picture, in area: Area) {
        let step = area.rows >= Self.largest.rows ? 2 : 1
        let rows = step == 2 ? Self.largest.rows : Self.minimum.rows
        let form = area.centered(
            Size(columns: min(area.columns - 2, Self.largest.columns), rows: rows))
        func row(_ number: Int) -> Area {
            form.split(rows: number * step).bottom.split(rows: 1).top
        }
        let title = row(0).split(columns: Self.label).right
        picture.frame.write("Who are you?", in: title, .left, .bold)
        FormField(
            number: 0, label: "User name", field: username, isFocused: focus == .username
        ).draw(on: &picture, in: row(1), labelColumns: Self.label)
        FormField(
            number: 1, label: "Password", field: password, isFocused: focus == .password
        ).draw(on: &picture, in: row(2), labelColumns: Self.label)
        Self.button.draw(
            isEnabled: canLogIn, on: &picture, in: row(3).split(columns: Self.label).right)
        let below = form.split(rows: 4 * step).bottom
        let isNarrow = form.columns < Self.largest.columns
        let room = below.split(columns: isNarrow ? 1 : Self.label).right
        drawMessage(on: &picture.frame, in: room)
    }

    private func drawMessage(on frame: inout Frame, in room: Area) {
        switch message {
        case _ where isBusy: frame.write("Checking…", in: room, .left, .dim)
        case .success(let text): draw(text, on: &frame, in: room, Style(.good, bold: true))
        case .failure(let text): draw(text, on: &frame, in: room, Style(.bad))
        case nil: break
        }
    }

    private func draw(_ text: String, on frame: inout Frame, in area: Area, _ style: Style) {
        let lines = WrappedText(text, columns: area.columns)
        for (row, line) in lines.cut(to: area.rows, columns: area.columns).enumerated() {
            frame.write(line, in: area, row: row, .left, style)
        }
    }
}
