import BusdProtocol
import BusdScreens
import BusdTerminal

/// The game creator: the names of both teams side by side, and below them the rules and the
/// problems.
struct CreatorPicture {
    let state: CreatorState
    /// The name of a draft that other terminals may edit too; nil for a private draft.
    let sharedAs: String?

    static func minimum(size: Int) -> Size { Size(columns: 36, rows: size + 6) }

    private static let button = Button("Create", .enter)

    func draw(on picture: inout Picture, in area: Area) {
        let inner = area.inset(columns: area.columns >= 60 ? 4 : 0)
        let gap = area.rows >= state.size + 11 ? 1 : 0
        let step = area.rows >= 2 * state.size + 14 ? 2 : 1
        let (title, rest) = inner.split(rows: 1 + gap)
        let (names, below) = rest.split(rows: TeamsForm.rows(size: state.size, step: step))
        let (rules, problems) = below.split(rows: gap).bottom.split(rows: 1)
        drawTitle(on: &picture, in: title)
        let form = TeamsForm(area: names, step: step)
        form.drawHeads(on: &picture.frame)
        for (index, place) in state.places.enumerated() {
            if case .rule(let rule) = place {
                draw(index, rule, on: &picture, in: rules)
            } else {
                FormField(
                    number: index, label: place.label, field: state[place],
                    isFocused: place == state.focus
                ).draw(on: &picture, in: form.row(of: place), labelColumns: TeamsForm.label)
            }
        }
        drawProblems(on: &picture.frame, in: problems.split(rows: gap).bottom)
    }

    private func drawTitle(on picture: inout Picture, in row: Area) {
        let title = sharedAs.map { "New game · draft \($0)" } ?? "New game"
        let (left, right) = row.split(columns: row.columns - Self.button.columns)
        picture.frame.write(title, in: left, .left, .bold)
        Self.button.draw(isEnabled: state.canCreate, on: &picture, in: right)
    }

    /// The rules stand side by side, each as wide as its words.
    private func draw(
        _ index: Int, _ rule: FieldPlace.Rule, on picture: inout Picture, in row: Area
    ) {
        let isShort = row.columns < 52
        let gap = isShort ? 2 : 4
        let before = FieldPlace.Rule.allCases.prefix { $0 != rule }
            .reduce(1) { $0 + Self.columns($1, isShort) + gap }
        let cell = row.split(columns: before).right.split(columns: Self.columns(rule, isShort)).left
        let label = rule.label(isShort: isShort)
        FormField(
            number: index, label: label, field: TextField("\(state[rule])"),
            isFocused: state.focus == .rule(rule)
        ).draw(on: &picture, in: cell, labelColumns: label.columns + 1)
    }

    /// The label, a gap, the number and the cursor behind it.
    private static func columns(_ rule: FieldPlace.Rule, _ isShort: Bool) -> Int {
        rule.label(isShort: isShort).columns + 1 + "\(rule.allowed.upperBound)".columns + 1
    }

    private func drawProblems(on frame: inout Frame, in area: Area) {
        ProblemList(state.problems).draw(on: &frame, in: area)
        if state.problems.isEmpty, state.canCreate {
            frame.write("Ready.", in: area, .left, Style(.good))
        }
    }
}
